"""What a Chinese question asks for, as `query` reads an English one. Its verbs have no tense: words of time say it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["Asked", "read", "roles"]

_HAN = re.compile(r"[\u4e00-\u9fff]")
_RELATIVE: Final = (
    "爸爸|爸妈|父亲|老爸|爸|妈妈|母亲|老妈|妈|父母|哥哥|弟弟|姐姐|妹妹|表哥|表弟|表姐|表妹|堂哥|堂弟|堂姐|堂妹|哥|弟|姐|妹|儿子|女儿|孩子"
    "|丈夫|老公|先生|妻子|老婆|太太|爱人|男朋友|女朋友|男友|女友|对象|未婚夫|未婚妻|前男友|前女友|前夫|前妻"
    "|爷爷|奶奶|外公|外婆|姥姥|姥爷|叔叔|阿姨|舅舅|舅妈|姑姑|姨妈|伯伯|侄子|侄女|外甥女|外甥|孙子|孙女"
    "|岳父|岳母|公公|婆婆|嫂子|姐夫|妹夫|闺蜜|好朋友|好友|朋友|室友|邻居|同事|同学|老板|上司|经理|导师|老师|医生|牙医|教练|房东"
    "|小狗|小猫|猫咪|狗狗|狗|猫"
)
_OF_RELATIVE = re.compile(rf"(?:我|咱)(?:们|家)?的?({_RELATIVE})")
_FIRST_PERSON = re.compile(r"[我咱俺]|本人|自己")
_WHO_IS_MY = re.compile(
    rf"谁是(?:我|咱)们?的?(?:{_RELATIVE})|(?:我|咱)们?的?(?:{_RELATIVE})(?:现在|目前)?(?:是谁|叫什么)"
)
_ASKS = re.compile(r"[谁哪几吗?？]|什么|怎么|如何|多少|多大|多久|何[时处]|是不是|有没有|是否|为何")
_DENIAL = re.compile(r"[不没未无别吗]|讨厌|是否")
_ASKS_TIME = re.compile(
    r"什么时[候间]|何时|几[时点号岁年月天]|多[久大]|多长时间|哪一?[年月天]|多少[年月天岁]|周几|星期几"
)
_PAST = re.compile(r"[以之从]前|曾|过去|原[来先]|当[时初年]|那时|小时候|早年|本来")
_OVER = re.compile(r"昨|前[天年]|去年|上[个周次一]|过[了吗?？]|了[没吗?？]?\W*$")
_NOW = re.compile(r"现在|目前|如今|眼下|当前|这阵子|近来|至今")
_NEWEST = re.compile(r"最[新近]|还[在有是会]|仍|已经")


@dataclass(frozen=True, slots=True)
class Asked:
    """The marks of a question, see `query.Query`. `tense`: it speaks of what is so."""

    first_person: bool
    asks: bool
    asks_time: bool
    past: bool
    now: bool
    newest: bool
    tense: bool
    denial: bool


def read(text: str) -> Asked | None:
    """None for a text without Chinese."""
    if not _HAN.search(text):
        return None
    past = _PAST.search(text) is not None
    asks = _ASKS.search(text) is not None
    return Asked(
        first_person=(_FIRST_PERSON.search(_OF_RELATIVE.sub(" ", text)) or _WHO_IS_MY.search(text)) is not None,
        asks=asks,
        asks_time=_ASKS_TIME.search(text) is not None,
        past=past,
        now=_NOW.search(text) is not None,
        newest=_NEWEST.search(text) is not None,
        tense=asks and not past and _OVER.search(text) is None,
        denial=_DENIAL.search(text) is not None or not asks,
    )


def roles(text: str) -> list[str]:
    """`我妹妹` names `妹妹`."""
    return _OF_RELATIVE.findall(text)

"""What of a WhatsApp message a person wrote, and what the app put there: omitted media, deleted messages, calls.

On iPhones the app's own words begin with a mark of writing direction. On Android a few fixed phrases stand in their
place, in the language of the phone; a phrase in angle brackets is one in any language.
"""

from __future__ import annotations

import re
from typing import Final

from lean_memory.importers.stamps import MARKS

__all__ = ["by_people"]

_PLACEHOLDER: Final = re.compile(r"<[^<>\n]{1,20} [^<>\n]{1,40}>")  # <Media omitted>
_EDITED: Final = re.compile(
    r"<(?:This message was edited|Diese Nachricht wurde bearbeitet|Se editó este mensaje"
    r"|Ce message a été modifié|Questo messaggio è stato modificato|Mensagem editada|Dit bericht is bewerkt)\.?>"
)
_ATTACHED: Final = re.compile(r"<[^<>:\n]{1,30}: [^<>\n]{1,200}\.\w{2,5}>")  # <attached: 1.jpg>
_FILE: Final = re.compile(  # IMG-20240514-WA0001.jpg (file attached)
    r"(?:[A-Z]{3}-\d{8}-WA\d+\.\w{2,5} \([^()\n]{4,40}\)|[^\n]{1,120}\.\w{2,5} \("
    r"(?:file attached|Datei angehängt|archivo adjunto|fichier joint|file allegato|arquivo anexado"
    r"|bestand bijgevoegd)\))(?:\n|\Z)"
)
_PHRASES: Final = frozenset(
    phrase.strip().casefold()
    for phrase in """
    image omitted / video omitted / audio omitted / sticker omitted / gif omitted / document omitted
    contact card omitted / video note omitted / null / this message was deleted / you deleted this message
    missed voice call / missed video call / missed group voice call / missed group video call
    live location shared / waiting for this message / waiting for this message. this may take a while
    bild weggelassen / video weggelassen / audio weggelassen / sticker weggelassen / gif weggelassen
    dokument weggelassen / diese nachricht wurde gelöscht / du hast diese nachricht gelöscht
    verpasster sprachanruf / verpasster videoanruf
    imagen omitida / video omitido / audio omitido / sticker omitido / gif omitido / documento omitido
    se eliminó este mensaje / eliminaste este mensaje / llamada perdida / videollamada perdida
    image absente / vidéo absente / audio omis / sticker omis / gif retiré / document manquant
    ce message a été supprimé / vous avez supprimé ce message / appel vocal manqué / appel vidéo manqué
    immagine omessa / video omesso / audio omesso / sticker omesso / gif esclusa / documento omesso
    questo messaggio è stato eliminato / hai eliminato questo messaggio / chiamata persa / videochiamata persa
    imagem ocultada / imagem omitida / vídeo omitido / áudio ocultado / áudio omitido / figurinha omitida
    mensagem apagada / esta mensagem foi apagada / você apagou esta mensagem / chamada de voz perdida
    afbeelding weggelaten / video weggelaten / audio weggelaten / sticker weggelaten / dit bericht is verwijderd
    """.replace("\n", " / ").split(" / ")
    if phrase.strip()
)


def by_people(text: str) -> str:
    """The message without what the app put there; empty where a person wrote none of it."""
    bare = text.strip(MARKS + " \t\r\n")
    attached = _FILE.match(bare) or _ATTACHED.match(bare)
    if text.startswith("\u200e") and not attached:
        return ""
    text = bare[attached.end() :] if attached else bare
    text = _EDITED.sub("", _ATTACHED.sub("", text)).strip(MARKS + " \t\r\n")
    if _PLACEHOLDER.match(text):
        first, _, caption = text.partition("\n")
        return caption.strip() if _PLACEHOLDER.fullmatch(first.strip()) else text
    return "" if text.rstrip(".").casefold() in _PHRASES else text

// The console's script: fetches parts of pages with the token, puts them in place, sends decisions.
// Everything that is shown comes from the server, escaped and in the reader's language.
"use strict";

const app = document.getElementById("app");
const panel = document.getElementById("panel");
const said = document.getElementById("said");
const stored = (name, value) => {
  if (value) sessionStorage.setItem(name, value);
  return sessionStorage.getItem(name);
};
const AT_ONCE = 25; // decisions a request, so that a long batch is seen to go on
let timer = 0;
let shown = 0; // counts pages, so that a slow answer doesn't take the place of a later one

// ---------------------------------------------------------------------------------------- asking the server

function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    stored("token", given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return stored("token");
}

async function ask(path, body) {
  const headers = { Authorization: `Bearer ${stored("token")}` };
  if (stored("lang")) headers["Accept-Language"] = stored("lang");
  const options = { headers, cache: "no-store" };
  if (body) {
    options.method = "POST";
    options.body = JSON.stringify(body);
    headers["Content-Type"] = "application/json";
  }
  const gone = document.getElementById("gone");
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    gone.hidden = false;
    throw error;
  }
  gone.hidden = true;
  if (response.status === 401) document.getElementById("locked").hidden = false;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return { ok: response.ok, body: page.body };
}

const namespace = () => app.querySelector("[data-choice=n]")?.value ?? "";
const inside = (path, more = {}) => `${path}?${new URLSearchParams({ n: namespace(), ...more })}`;

function announce(body) {
  const sentence = body.querySelector("[data-said]");
  said.textContent = "";
  if (sentence) said.textContent = sentence.textContent;
}

// ------------------------------------------------------------------------------------------- showing pages

async function show(address, { push = true, move = true } = {}) {
  const url = new URL(address, location.origin);
  if (url.pathname === "/") url.pathname = "/review";
  const number = ++shown;
  const { ok, body } = await ask(`/part${url.pathname}${url.search}`);
  if (number !== shown) return;
  clearTimeout(timer);
  if (push) history.pushState(null, "", url.pathname + url.search);
  const held = document.activeElement?.id;
  const main = app.querySelector("main");
  (ok ? app : main).replaceChildren(...body.childNodes);
  if (!ok) return;
  const top = app.querySelector("header.top");
  document.documentElement.lang = top.dataset.lang;
  document.title = `${top.dataset.title} · lean-memory`;
  announce(app);
  const again = held && document.getElementById(held);
  if (again) again.focus();
  else if (move) (openCards()[0] ?? app.querySelector("main")).focus({ preventScroll: true });
  if (move && push) scrollTo(0, 0);
  const live = app.querySelector("[data-live]");
  if (live) watch(live.id, Number(live.dataset.live));
}

const reload = () => show(location.pathname + location.search, { push: false, move: false });

// Asks again and again; the longer an answer takes, the less often.
function watch(id, pause) {
  const number = shown;
  let before = document.getElementById(id).innerHTML;
  const again = async () => {
    const start = performance.now();
    if (!document.hidden && !panel.open) before = await refresh(id, before, number).catch(() => before);
    if (number !== shown) return; // another page is shown by now
    timer = setTimeout(again, Math.max(pause, 10 * (performance.now() - start)));
  };
  timer = setTimeout(again, pause);
}

async function refresh(id, before, number) {
  const { ok, body } = await ask(`/part${location.pathname}${location.search}`);
  const old = document.getElementById(id);
  if (!ok || !old || number !== shown) return before;
  const fresh = body.querySelector(`#${id}`);
  const now = fresh.innerHTML;
  if (now === before) return now;
  const buttons = [...old.querySelectorAll("button")];
  const fromEnd = buttons.length - buttons.indexOf(document.activeElement);
  const focused = old.contains(document.activeElement);
  const opened = old.querySelector("details")?.open;
  old.replaceChildren(...fresh.childNodes);
  if (opened) old.querySelector("details").open = true;
  if (focused) [...old.querySelectorAll("button")].at(-fromEnd)?.focus();
  return now;
}

async function open(path, body) {
  const answer = await ask(path, body);
  panel.replaceChildren(...answer.body.childNodes);
  if (!panel.open) panel.showModal();
  panel.scrollTop = 0;
  announce(panel);
}

// ---------------------------------------------------------------------------------------------- deciding

const openCards = (within = document) => [...within.querySelectorAll("#queue .card:not(.decided)")];

async function decide(cards, verdict, edits = {}) {
  const waiting = cards.filter((card) => !card.ariaBusy);
  if (!waiting.length) return;
  waiting.forEach((card) => (card.ariaBusy = "true"));
  const order = openCards();
  const behind = order.slice(order.indexOf(waiting.at(-1)) + 1);
  try {
    let done = 0;
    for (let start = 0; start < waiting.length; start += AT_ONCE) {
      const some = waiting.slice(start, start + AT_ONCE);
      const decisions = some.map((card) => ({ proposal: card.dataset.proposal, verdict, edits }));
      const { ok, body } = await ask(inside("/part/decide"), { decisions, done, of: waiting.length });
      if (!ok) {
        panel.replaceChildren(...body.childNodes);
        panel.showModal();
        return;
      }
      announce(body);
      done += body.querySelectorAll(".outcome.applied").length;
      for (const card of body.querySelectorAll("article")) document.getElementById(card.id)?.replaceWith(card);
      recount();
    }
    const next = behind.find((card) => card.isConnected) ?? openCards()[0] ?? app.querySelector("main");
    next.focus();
  } finally {
    waiting.forEach((card) => (card.ariaBusy = null));
  }
}

function recount() {
  const all = openCards().length;
  const line = document.getElementById("waiting");
  line.textContent = (all > 1 ? line.dataset.many : all ? line.dataset.one : line.dataset.none).replace("{count}", all);
  const expires = document.getElementById("expires");
  if (expires) expires.hidden = !all;
  for (const section of app.querySelectorAll(".entity")) {
    const count = openCards(section).length;
    for (const button of section.querySelectorAll("[data-batch]")) {
      button.textContent = button.dataset.label.replace("{count}", count);
      button.hidden = count < 2;
    }
  }
}

function confirmBatch(button) {
  const cards = openCards(button.closest(".entity"));
  const make = (name, text, more = {}) => Object.assign(document.createElement(name), { textContent: text, ...more });
  const verdicts = make("div", "", { className: "verdicts" });
  const yes = make("button", button.dataset.yes, { className: "main" });
  yes.addEventListener("click", () => {
    panel.close();
    decide(cards, button.dataset.batch);
  });
  const no = make("button", button.dataset.no);
  no.dataset.close = "";
  verdicts.append(yes, no);
  const question = button.dataset.question.replace("{count}", cards.length);
  panel.replaceChildren(make("h2", question, { id: "panel-title" }), make("p", button.dataset.note), verdicts);
  panel.showModal();
}

function edit(card, on) {
  const form = card.querySelector("form.edit");
  if (!form) return;
  form.hidden = !on;
  card.querySelector("[data-edit]").ariaExpanded = String(on);
  if (on) form.querySelector("textarea, input:checked").focus();
  else card.focus();
}

// ------------------------------------------------------------------------------------- clicks, forms, keys

const clicks = {
  "a[href^='/']": (link) => show(link.href),
  "[data-verdict]": (button) => decide([button.closest(".card")], button.dataset.verdict),
  "[data-edit]": (button) => edit(button.closest(".card"), button.ariaExpanded !== "true"),
  "[data-cancel]": (button) => edit(button.closest(".card"), false),
  "[data-batch]": (button) => confirmBatch(button),
  "[data-act=maintain]": () => open(inside("/part/maintain"), { apply: false }),
  "[data-act=apply]": () => open(inside("/part/maintain"), { apply: true }).then(reload),
  "[data-source]": (button) => open(inside("/part/source", { fact: button.dataset.source })),
  "[data-promote]": (button) => open(inside("/part/promote"), { fact: button.dataset.promote }),
  "[data-close]": () => panel.close(),
};

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  for (const [selector, act] of Object.entries(clicks)) {
    const target = event.target.closest(selector);
    if (!target) continue;
    event.preventDefault();
    act(target);
    return;
  }
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  if (form.matches("form.edit")) {
    decide([form.closest(".card")], "edit", Object.fromEntries(new FormData(form)));
    return;
  }
  const asked = new URLSearchParams(new FormData(form));
  const slider = form.querySelector("[type=range]");
  if (slider?.value === slider?.dataset.today) asked.delete("day");
  show(`${form.dataset.go}?${asked}`, { move: false });
});

document.addEventListener("input", (event) => {
  if (!event.target.matches("[type=range]")) return;
  const slider = event.target;
  const output = app.querySelector(`output[for=${slider.id}]`);
  const date = new Date(slider.value * 86400000).toISOString().slice(0, 10);
  output.textContent = slider.value === slider.dataset.today ? output.dataset.now : date;
});

document.addEventListener("change", (event) => {
  const { choice } = event.target.dataset;
  if (choice === "lang") stored("lang", event.target.value);
  if (choice === "lang") reload();
  if (choice === "n") show(`${location.pathname}?${new URLSearchParams({ n: event.target.value })}`);
  if (event.target.matches("[type=range], [name=cold]")) event.target.form.requestSubmit();
});

function step(card, by) {
  const cards = openCards();
  cards[cards.indexOf(card) + by]?.focus();
}

const keys = {
  n: (card) => step(card, 1),
  b: (card) => step(card, -1),
  a: (card) => decide([card], "approve"),
  k: (card) => decide([card], "keep"),
  p: (card) => decide([card], "promote"),
  e: (card) => edit(card, true),
  A: (card) => batch(card, "approve"),
  K: (card) => batch(card, "keep"),
};

function batch(card, verdict) {
  const button = card.closest(".entity").querySelector(`[data-batch=${verdict}]`);
  if (button && !button.hidden) confirmBatch(button);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || panel.open) return;
  const card = event.target.closest("#queue .card:not(.decided)");
  if (!card) return;
  if (event.key === "Escape") edit(card, false);
  if (event.target.matches("input, textarea, select") || !Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key](card);
});

addEventListener("popstate", () => show(location.href, { push: false }));

if (takeToken()) show(location.href, { push: false });
else document.getElementById("locked").hidden = false;

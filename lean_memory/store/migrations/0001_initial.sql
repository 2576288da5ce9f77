-- Instants are milliseconds since the epoch. An item number, used by the vectors and the text index, is
-- 2 * row for an episode and 2 * row + 1 for a fact, so that both rank in one list.

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE episodes (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL,
  t_ref INTEGER NOT NULL,
  tz TEXT,
  source TEXT NOT NULL,
  speaker TEXT,
  session TEXT,
  meta TEXT NOT NULL,
  extra TEXT NOT NULL,
  tokens INTEGER NOT NULL,             -- length in search tokens, for BM25
  recorded_at INTEGER NOT NULL
) STRICT;
CREATE INDEX episodes_t_ref ON episodes (t_ref);
CREATE INDEX episodes_session ON episodes (session, t_ref) WHERE session IS NOT NULL;

CREATE TABLE entities (
  row INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,            -- names.name_key
  name TEXT NOT NULL,                  -- the first spelling seen
  recorded_at INTEGER NOT NULL
) STRICT;

CREATE TABLE aliases (
  key TEXT NOT NULL,
  entity INTEGER NOT NULL REFERENCES entities,
  episode INTEGER NOT NULL REFERENCES episodes,
  recorded_at INTEGER NOT NULL,
  closed_at INTEGER,
  PRIMARY KEY (key, entity, episode)
) STRICT, WITHOUT ROWID;

CREATE TABLE slots (
  row INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  revision INTEGER NOT NULL            -- grows with every claim: what compare-and-set compares
) STRICT;

-- A proposition. Never rewritten; only its tier moves.
CREATE TABLE facts (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  slot INTEGER NOT NULL REFERENCES slots,
  subject INTEGER NOT NULL REFERENCES entities,
  predicate TEXT NOT NULL,
  object TEXT NOT NULL,
  polarity TEXT NOT NULL CHECK (polarity IN ('positive', 'negative')),
  text TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  tier TEXT NOT NULL DEFAULT 'hot' CHECK (tier IN ('hot', 'cold')),
  recorded_at INTEGER NOT NULL
) STRICT;
CREATE INDEX facts_slot ON facts (slot);
CREATE INDEX facts_subject ON facts (subject, predicate);

-- A claim: who said the proposition, in which words, about which time.
CREATE TABLE evidence (
  row INTEGER PRIMARY KEY,
  fact INTEGER NOT NULL REFERENCES facts,
  episode INTEGER NOT NULL REFERENCES episodes,
  text TEXT NOT NULL,                  -- the proposition as this claim puts it: tense and date differ
  quote TEXT NOT NULL,
  span_begin INTEGER NOT NULL,
  span_end INTEGER NOT NULL,
  valid_at INTEGER,
  valid_to INTEGER,
  time_text TEXT,
  relation TEXT NOT NULL,
  cue TEXT,
  confidence REAL NOT NULL,
  salience REAL NOT NULL,
  route TEXT NOT NULL,
  extra TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  moved_at INTEGER,                    -- when it was put to another fact: the subject's name had become known
  UNIQUE (fact, episode, span_begin, span_end)
) STRICT;
CREATE INDEX evidence_episode ON evidence (episode);

-- When a proposition held, as believed from recorded_at until closed_at.
CREATE TABLE validity (
  row INTEGER PRIMARY KEY,
  fact INTEGER NOT NULL REFERENCES facts,
  valid_at INTEGER,
  valid_to INTEGER,
  recorded_at INTEGER NOT NULL,
  closed_at INTEGER,
  CHECK (valid_to IS NULL OR valid_at IS NULL OR valid_at <= valid_to)
) STRICT;
CREATE INDEX validity_fact ON validity (fact, closed_at);
CREATE UNIQUE INDEX validity_open ON validity (fact, ifnull(valid_at, -1 << 62), ifnull(valid_to, 1 << 62))
WHERE closed_at IS NULL;

CREATE TABLE vectors (
  item INTEGER PRIMARY KEY,
  data BLOB NOT NULL                   -- little-endian float32, L2-normalised
) STRICT;

-- Items that have no vector yet: a queue, so that finding the next ones doesn't read all there are.
CREATE TABLE unembedded (
  item INTEGER PRIMARY KEY
) STRICT;

CREATE VIRTUAL TABLE terms USING fts5 (
  words, content='', contentless_delete=1, tokenize='ascii'
);
-- The same index by term: how often a text holds it.
CREATE VIRTUAL TABLE terms_instances USING fts5vocab (terms, instance);

CREATE TABLE runs (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  trigger TEXT NOT NULL,
  config TEXT NOT NULL,
  status TEXT NOT NULL,
  cursor INTEGER NOT NULL DEFAULT 0,   -- the last change seen
  counts TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;

CREATE TABLE changes (
  row INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  fact INTEGER NOT NULL REFERENCES facts,
  episode INTEGER REFERENCES episodes,
  run INTEGER REFERENCES runs,
  cause TEXT NOT NULL
) STRICT;
CREATE INDEX changes_at ON changes (at);
CREATE INDEX changes_fact ON changes (fact);

-- What a fact stands on: a summary on its sources, a retired duplicate on its survivor. From `since` on, in either
-- time, it is visible only while they hold.
CREATE TABLE lineage (
  fact INTEGER NOT NULL REFERENCES facts,
  source INTEGER NOT NULL REFERENCES facts,
  since INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('summary', 'duplicate')),
  closed_at INTEGER,
  PRIMARY KEY (fact, source, since)
) STRICT, WITHOUT ROWID;
CREATE INDEX lineage_source ON lineage (source);

CREATE TABLE proposals (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  run INTEGER NOT NULL REFERENCES runs,
  kind TEXT NOT NULL,
  entity INTEGER REFERENCES entities,
  payload TEXT NOT NULL,
  evidence TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  decided_at INTEGER,
  decided_by TEXT,
  decision TEXT
) STRICT;
CREATE INDEX proposals_status ON proposals (status, created_at);

CREATE TABLE proposal_targets (
  proposal INTEGER NOT NULL REFERENCES proposals,
  fact INTEGER NOT NULL REFERENCES facts,
  revision INTEGER NOT NULL,           -- its slot's, when proposed
  PRIMARY KEY (proposal, fact)
) STRICT, WITHOUT ROWID;
CREATE INDEX proposal_targets_fact ON proposal_targets (fact);

CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  acquired_at INTEGER NOT NULL,
  heartbeat_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Access statistics: only maintenance reads them, so that reading never changes what is seen.
CREATE TABLE usage (
  item INTEGER PRIMARY KEY,
  hits INTEGER NOT NULL,
  last_used INTEGER NOT NULL
) STRICT;

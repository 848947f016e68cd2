import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { startTestServer } from '../packages/server/test/harness.ts';
import type { TestServer } from '../packages/server/test/harness.ts';

interface Panel {
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const board = JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] };
const alerts = parse(read('prometheus-alerts.yaml')) as {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
};
const rules = alerts.groups.flatMap((group) => group.rules);
const panels = board.panels.filter(({ type }) => type !== 'row');

/** Prometheus itself adds these labels when it reads a server. */
const LABELS_OF_PROMETHEUS = ['job', 'instance', 'le'];

/** Lists the metrics in a query, each with the labels that the query uses. */
function readQuery(query: string): { name: string; labels: string[] }[] {
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) =>
    list!.split(/,\s*/),
  );
  return [...query.matchAll(/\b((?:overworld|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name, selector = '']) => ({
      name: name!,
      labels: [...[...selector.matchAll(/(\w+)=/g)].map(([, label]) => label!), ...grouped],
    }),
  );
}

describe('dashboard and alerts use metrics that a running server has', () => {
  let server: TestServer;
  /** The labels of each metric that the server has. A metric without samples has no labels yet. */
  const served = new Map<string, Set<string>>();

  before(async () => {
    // No Redis listens at this address, but the server still shows the gauge of Redis.
    server = await startTestServer({
      env: { REDIS_URL: 'redis://127.0.0.1:1', RATE_LIMIT_PER_MINUTE: '1' },
      groups: 2,
    });
    const game = await server.makeGame();
    const body = { event_name: 'e', session_id: 's' };
    for (let sent = 0; sent < 2; sent++) {
      await server.request('POST', '/v1/track', { key: game.production_key, body });
    }
    const { text } = await server.request('GET', '/metrics');
    for (const [, name] of text.matchAll(/^# TYPE (\S+)/gm)) served.set(name!, new Set());
    for (const [, name, labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
      const known = served.get(name!) ?? new Set();
      for (const [, label] of labels.matchAll(/(\w+)="/g)) known.add(label!);
      served.set(name!, known);
    }
  });
  after(() => server.close());

  /** The labels of metrics that have no sample, and therefore no label, until something happens. */
  const LABELS_TO_COME: Record<string, string> = {
    overworld_queue_refusals_total: 'batcher',
    overworld_flush_failures_total: 'batcher',
    overworld_turns_refused_total: 'queue',
    overworld_background_failures_total: 'work',
    overworld_background_late_seconds: 'work',
    overworld_background_run_seconds: 'work',
    overworld_rate_limit_refusals_total: 'counted_by',
    overworld_webhook_attempts_total: 'outcome',
    overworld_alert_checks_total: 'outcome',
    overworld_node_up: 'node',
    overworld_node_bytes: 'node',
    overworld_node_groups: 'node',
  };

  const check = (where: string, query: string) => {
    const used = readQuery(query);
    assert.ok(used.length > 0 || query.startsWith('up{'), `${where} queries no metric: ${query}`);
    for (const { name, labels } of used) {
      const known = served.get(name);
      assert.ok(known !== undefined, `${where}: there is no metric ${name}`);
      for (const label of labels.filter((one) => !LABELS_OF_PROMETHEUS.includes(one))) {
        const exists = known.has(label) || LABELS_TO_COME[name] === label;
        assert.ok(exists, `${where}: ${name} has no label ${label}`);
      }
    }
  };

  test('each panel of the dashboard queries metrics and labels that exist', () => {
    for (const { title, targets } of panels) {
      for (const { expr } of targets!) check(title, expr);
    }
  });

  test('each alert queries metrics and labels that exist', () => {
    for (const { alert, expr } of rules) check(alert, expr);
  });

  test('each metric that begins with overworld_ is on the dashboard', () => {
    const shown = panels.flatMap(({ targets }) => targets!.flatMap(({ expr }) => readQuery(expr)));
    const names = new Set(shown.map(({ name }) => name.replace(/_(bucket|sum|count)$/, '')));
    for (const name of served.keys()) {
      const base = name.replace(/_(bucket|sum|count)$/, '');
      if (base.startsWith('overworld_')) assert.ok(names.has(base), `${base} is on no panel`);
    }
  });
});

test('panels do not overlap, and no two alerts share a name or a summary', () => {
  for (const [index, one] of board.panels.entries()) {
    for (const other of board.panels.slice(index + 1)) {
      const [a, b] = [one.gridPos, other.gridPos];
      const apart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
      assert.ok(apart, `${one.title} overlaps ${other.title}`);
    }
  }
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  assert.equal(new Set(rules.map(({ annotations }) => annotations.summary)).size, rules.length);
});

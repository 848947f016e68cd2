import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { startTestServer } from '../../../packages/server/test/harness.ts';
import { waitUntil } from '../../../packages/server/test/wait-until.ts';
import { makeGame, withoutGodot } from './game.ts';
import { fetchTemplate } from './web/template.ts';
import { openGameSite } from './web/site.ts';

/** Does what the page puts into `todo`, and prints the outcome. */
const GAME = `extends Node

var _is_busy: bool = false


func _ready() -> void:
	var given: PackedStringArray = OS.get_cmdline_user_args()
	Overworld.start(given[0], given[1], {"flush_interval_seconds": 1000000.0, "timeout_seconds": 5.0})
	print("did start ", Overworld.get_player_id())


func _process(_delta: float) -> void:
	var todo: Variant = JavaScriptBridge.eval("window.todo ?? ''")
	if todo is String and todo != "" and not _is_busy:
		_is_busy = true
		JavaScriptBridge.eval("window.todo = ''")
		var words: PackedStringArray = str(todo).split(" ")
		print("did ", words[0], " ", await _do(words[0], words[1] if words.size() > 1 else ""))
		_is_busy = false


func _do(what: String, given: String) -> String:
	match what:
		"track":
			Overworld.track(given)
			return str(Overworld.get_queued_events())
		"flush":
			return str(await Overworld.flush())
		"score":
			var entry: OverworldResult = await Overworld.leaderboards.submit("b", int(given))
			return "rank %d" % entry.value["rank"] if entry.ok else "%s %s" % [entry.error.code, entry.error.is_kept]
		"save":
			var kept: OverworldResult = await Overworld.saves.save({"level": int(given)}, {"on_conflict": "ours"})
			return "version %d" % kept.value["version"] if kept.ok else kept.error.code
		"config":
			var loaded: OverworldResult = await Overworld.config.load(0.0)
			return "%s %s" % [loaded.ok, loaded.value["is_stale"] if loaded.ok else loaded.error.message]
		"tags":
			var added: OverworldResult = await Overworld.tags.add("a")
			var removed: OverworldResult = await Overworld.tags.remove("a")
			return "%s %s" % [added.ok, removed.ok]
		"delete":
			return str((await Overworld.saves.delete()).ok)
		"identity":
			return "%s %s" % [Overworld.get_player_id(), Overworld.account.is_logged_in()]
		"waiting":
			return "%d %d" % [Overworld.get_queued_events(), Overworld.get_queued_calls()]
	return ""
`;

const template = process.env.CHROMIUM_PATH && !withoutGodot ? await fetchTemplate() : null;
const skip =
  template || process.env.CI ? false : 'no web template of Godot, no Godot or no Chromium';

/** Opens the game in a new tab. `call` returns the outcome of a call. */
async function openTab(context: BrowserContext, url: string) {
  const page = await context.newPage();
  const said: string[] = [];
  const problems: string[] = [];
  page.on('console', (message) => {
    said.push(message.text());
    if (/ERROR/.test(message.text())) problems.push(message.text());
  });
  const hear = async (what: string, from: number) => {
    const isIt = (line: string) => line.startsWith(`did ${what} `);
    await waitUntil(`the game does ${what}`, async () => said.slice(from).some(isIt));
    return said.slice(from).find(isIt)!.slice(`did ${what} `.length);
  };
  await page.goto(url);
  const player_id = await hear('start', 0);
  return {
    page,
    player_id,
    problems,
    async call(what: string, given = '') {
      const from = said.length;
      await page.evaluate((todo) => Object.assign(globalThis, { todo }), `${what} ${given}`.trim());
      return await hear(what, from);
    },
  };
}

/** Waits until Godot has copied a file with these words to IndexedDB, which it does some frames later. */
async function waitForStore(page: Page, words: string) {
  const isStored = async () => (await page.evaluate<string>(readStore)).includes(words);
  await waitUntil(`${words} is in IndexedDB`, isStored);
}

const readStore = `new Promise((resolve, reject) => {
  const opened = indexedDB.open('/userfs');
  opened.onerror = () => reject(opened.error);
  opened.onsuccess = () => {
    const read = opened.result.transaction('FILE_DATA').objectStore('FILE_DATA').getAll();
    read.onsuccess = () => {
      opened.result.close();
      resolve(read.result.map(({ contents }) => contents && new TextDecoder().decode(contents)).join(' '));
    };
  };
})`;

describe('a web export of a Godot game', { skip }, () => {
  test('plays over real CORS, reloads, lost networks, killed tabs and two tabs', async (t) => {
    await using server = await startTestServer();
    const { development_key } = await server.makeGame();
    const folder = await makeGame(t, { script: GAME });
    await using site = await openGameSite(folder, template!);
    // Without a graphics card, large frames take much time.
    const context = await site.browser.newContext({ viewport: { width: 160, height: 120 } });
    const url = site.urlOf([server.url, development_key]);
    const countEvents = async (event_name: string) => {
      const path = `/v1/players/${player_id}/timeline?limit=500`;
      const { events } = (await server.request('GET', path, { key: development_key })).body;
      return events.filter((event: { event_name: string }) => event.event_name === event_name)
        .length;
    };

    const first = await openTab(context, url);
    const { player_id } = first;
    assert.match(player_id, /^[0-9a-f]{32}$/);
    assert.equal(await first.call('config'), 'true false');
    // Nothing has changed, so the answer is a 304 without a body.
    assert.equal(await first.call('config'), 'true false');
    assert.equal(await first.call('score', '42'), 'rank 1');
    assert.equal(await first.call('save', '1'), 'version 1');
    // Answers with 204.
    assert.equal(await first.call('tags'), 'true true');
    assert.equal(await first.call('delete'), 'true');
    assert.equal(await first.call('identity'), `${player_id} true`);
    assert.deepEqual(first.problems, []);

    await context.setOffline(true);
    assert.equal(await first.call('score', '77'), 'network true');
    await waitForStore(first.page, '"score":77');
    await first.call('track', 'offline');
    await waitForStore(first.page, '"offline"');
    await first.page.close();
    await context.setOffline(false);
    const second = await openTab(context, url);
    assert.equal(second.player_id, player_id);
    assert.equal(await second.call('flush'), 'true');
    assert.equal(await second.call('waiting'), '0 0');
    const { entries } = (
      await server.request('GET', '/v1/leaderboards/b', { key: development_key })
    ).body;
    assert.deepEqual([entries.length, entries[0].score], [1, 77]);

    await second.call('track', 'killed');
    await waitForStore(second.page, '"killed"');
    const session = await context.newCDPSession(second.page);
    session.send('Page.crash').catch(() => undefined);
    await second.page.waitForEvent('crash');
    await second.page.close();
    const third = await openTab(context, url);
    assert.equal(third.player_id, player_id);
    assert.equal(await third.call('flush'), 'true');

    const fourth = await openTab(context, url);
    assert.equal(fourth.player_id, player_id);
    for (const tab of [third, fourth]) {
      for (let i = 0; i < 3; i++) await tab.call('track', 'two_tabs');
    }
    assert.deepEqual(await Promise.all([third.call('flush'), fourth.call('flush')]), [
      'true',
      'true',
    ]);
    assert.equal(await third.call('score', '78'), 'rank 1');
    assert.equal(await fourth.call('save', '2'), 'version 2');
    await third.page.close();
    await fourth.page.close();
    const fifth = await openTab(context, url);
    assert.equal(fifth.player_id, player_id);
    assert.equal(await fifth.call('flush'), 'true');
    for (const [name, count] of [
      ['offline', 1],
      ['killed', 1],
      ['two_tabs', 6],
    ] as const) {
      await waitUntil(`${name} is stored`, async () => (await countEvents(name)) >= count);
      assert.equal(await countEvents(name), count, name);
    }
  });
});

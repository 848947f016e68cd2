import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, test } from 'node:test';
import { makeDevice, startServer } from './device.ts';
import { engines } from './engines.ts';
import { accept, askForTime, event } from './exchanges.ts';

/** All calls that send a request, with valid arguments. */
const CALLS: { [call: string]: object } = {
  identify: { properties: { level: 1 } },
  'tags.add': { tag: 'vip' },
  'tags.remove': { tag: 'vip' },
  'saves.load': {},
  'saves.save': { text: '{}' },
  'saves.delete': {},
  'saves.list': {},
  'achievements.unlock': { key: 'first' },
  'achievements.list': {},
  'leaderboards.submit': { board: 'b', score: 1 },
  'leaderboards.page': { board: 'b' },
  'leaderboards.around': { board: 'b' },
  'leaderboards.players': { board: 'b', player_ids: ['p'] },
  'config.load': { max_age_seconds: 0 },
  'account.login_with': { provider: 'custom', token: 't' },
  'account.link': { provider: 'custom', token: 't' },
  'account.unlink': { provider: 'custom' },
  'account.logout': {},
  'account.create_move_code': {},
  'account.export_data': {},
  'account.erase_player': {},
  'account.move_here': { code: 'K7PM-2XQD-9RTA' },
};

for (const engine of engines) {
  describe(`${engine.name} and the consent of the player`, { skip: engine.skip }, () => {
    test('nothing is stored or sent before the player agrees', async (t) => {
      const server = await startServer(t);
      const options = { player_id: '', tracking_enabled: false };
      const { start, folder } = await makeDevice(t, engine, server.url, options);
      const game = await start();
      await game.call('track', { event_name: 'unseen' });
      for (const [call, args] of Object.entries(CALLS)) {
        await assert.rejects(game.call(call, { ...args }), { code: 'tracking_disabled' }, call);
      }
      assert.equal(await game.call('flush'), false);
      assert.equal(await game.call('player_id'), '');
      await game.call('close');
      assert.deepEqual(globSync('**/*', { cwd: folder }), []);
      server.verify();
    });

    test('when the player agrees, a session begins, and earlier events are not sent', async (t) => {
      const server = await startServer(t);
      const { start } = await makeDevice(t, engine, server.url, { tracking_enabled: false });
      const game = await start();
      await game.call('track', { event_name: 'unseen' });
      await game.call('set_tracking', { is_enabled: true });
      await game.call('track', { event_name: 'seen' });
      server.expect([
        askForTime(),
        accept('key-1', event('session_start', 'a'), event('seen', 'a')),
      ]);
      assert.equal(await game.call('flush'), true);
      server.verify();
    });

    test('when the player withdraws the agreement, the session is forgotten, and waiting calls are kept', async (t) => {
      const server = await startServer(t);
      const { start } = await makeDevice(t, engine, server.url);
      const game = await start();
      const body = { board_name: 'b', player_id: 'p-1', score: 5 };
      const headers = { 'idempotency-key': '{score}' };
      const request = { method: 'POST', path: '/v1/leaderboards', headers, body };
      await game.call('track', { event_name: 'waits' });
      const disagree = () => game.call('set_tracking', { is_enabled: false });
      const overloaded = { status: 503, body: { error: '…' } };
      server.expect([{ request, answer: overloaded, meanwhile: disagree }]);
      // The call is tried again after a pause. During the pause the player withdraws the agreement.
      const submit = game.call('leaderboards.submit', { board: 'b', score: 5 });
      await assert.rejects(submit, { code: 'tracking_disabled' });
      await game.call('track', { event_name: 'unseen' });
      assert.equal(await game.call('flush'), false);
      server.verify();
      assert.equal(await game.call('queued_calls'), 1);

      const entry = { ...body, rank: 1, updated: true, total_entries: 1 };
      server.expect([
        { request, answer: { status: 201, body: entry } },
        accept(
          'key-1',
          event('session_start', 'a'),
          event('waits', 'a'),
          event('session_start', 'b'),
        ),
      ]);
      await game.call('set_tracking', { is_enabled: true });
      assert.equal(await game.call('flush'), true);
      server.verify();
      assert.equal(await game.call('queued_calls'), 0);
    });
  });
}

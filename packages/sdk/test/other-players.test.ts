import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { countCases } from '../../server/test/long-forms.ts';
import type { TestServer } from '../../server/test/harness.ts';
import type { OverworldError, OverworldStore } from '../src/overworld.ts';
import { listNumbers, makeClient, makeStore, slow, trackNumbers, withClockOff } from './client.ts';
import type { TestStore } from './client.ts';
import { makeLoginGame } from './login-game.ts';
import type { LoginGame } from './login-game.ts';
import { startNetwork } from './network.ts';
import type { Proxy } from './proxy.ts';

let server: TestServer;
let proxy: Proxy;
let close: () => Promise<void>;
let game: LoginGame;
before(async () => {
  ({ server, proxy, close } = await startNetwork());
  game = await makeLoginGame(server);
});
after(() => close());

const HOUR_MS = 3_600_000;
const busy = () => ({ status: 503, headers: { 'retry-after': '60' }, body: '{"error":"Busy"}' });
const isKept = (error: OverworldError) => error.isKept;

const listEvents = (player_id: string) =>
  listNumbers(server, { ...game, production_key: game.server_key }, player_id);

/** Starts the game in a tab. All tabs of a test share the store. */
function openTab(
  store: TestStore,
  { url = server.url, wrap = (one: TestStore): OverworldStore => one } = {},
) {
  const told: string[] = [];
  const client = makeClient({ url }, game, {
    store: { ...wrap(store), shared: true },
    playerId: undefined,
    onOtherPlayer: (player_id) => told.push(player_id),
  });
  const logIn = async (account: string) => {
    const token = await game.sign(account);
    return (await client.overworld.account.loginWith('custom', { token })).player_id;
  };
  return { ...client, told, logIn };
}

for (const [kind, wrap] of [
  ['localStorage', (store: TestStore): OverworldStore => store],
  ['an asynchronous store', slow],
] as const) {
  test(`a guest's tab stays the guest when another tab has logged in, and is told: ${kind}`, async () => {
    const store = makeStore();
    const account = `renewed in ${kind}`;
    const guest = openTab(store, { wrap });
    await guest.overworld.saves.save({ of: 'guest' });
    const guest_id = guest.overworld.playerId;
    const other = openTab(store, { wrap });
    const account_id = await other.logIn(account);
    await other.overworld.saves.save({ of: 'account' });
    await withClockOff(HOUR_MS, () => guest.overworld.saves.save({ of: 'guest, an hour later' }));
    assert.equal(guest.overworld.playerId, guest_id);
    assert.deepEqual(guest.told, [account_id]);
    assert.deepEqual(other.told, []);
    assert.deepEqual(await game.readSave(guest_id), { of: 'guest, an hour later' });
    assert.deepEqual(await game.readSave(account_id), { of: 'account' });
    await Promise.all([guest.overworld.close(), other.overworld.close()]);
    // The guest's renewal has not replaced the login of the account.
    await using next = openTab(store, { wrap });
    assert.deepEqual((await next.overworld.saves.load())!.data, { of: 'account' });
    assert.equal(next.overworld.playerId, account_id);
  });
}

test('a logout in one tab lets the next start be the guest, and the other tab stays its player', async () => {
  const store = makeStore();
  await using first = openTab(store);
  await first.overworld.identify({});
  const guest_id = first.overworld.playerId;
  const account_id = await first.logIn('logged out elsewhere');
  await using second = openTab(store);
  await second.overworld.saves.save({ of: 'account' });
  await first.overworld.account.logout();
  await first.overworld.saves.save({ of: 'guest' });
  await second.overworld.saves.save({ of: 'account, again' });
  assert.deepEqual(second.told, [guest_id]);
  const later = withClockOff(HOUR_MS, () => second.overworld.saves.save({ of: 'none' }));
  await assert.rejects(later, { code: 'unauthorized' });
  assert.equal(second.overworld.account.isLoggedIn, false);
  assert.deepEqual(await game.readSave(account_id), { of: 'account, again' });
  await using next = openTab(store);
  assert.equal(next.overworld.playerId, guest_id);
  assert.deepEqual((await next.overworld.saves.load())!.data, { of: 'guest' });
});

test('a tab that slept while another renewed its session goes on with the renewed session', async () => {
  const store = makeStore();
  await using first = openTab(store);
  const account_id = await first.logIn('sleeper');
  await using second = openTab(store);
  for (const hours of [1, 2, 3]) {
    await withClockOff(hours * HOUR_MS, () => first.overworld.identify({ hours }));
  }
  await withClockOff(5 * HOUR_MS, () => second.overworld.saves.save({ of: 'account' }));
  assert.equal(second.overworld.account.isLoggedIn, true);
  await withClockOff(7 * HOUR_MS, () => first.overworld.identify({ hours: 7 }));
  assert.equal(first.overworld.account.isLoggedIn, true);
  assert.deepEqual(await game.readSave(account_id), { of: 'account' });
});

test("a player's kept calls and events are sent with the player's token after another has logged in", async () => {
  for (const isRestarted of [false, true]) {
    const store = makeStore();
    let tab = openTab(store, proxy);
    const first_id = await tab.logIn(`first, ${isRestarted}`);
    proxy.decide = busy;
    await assert.rejects(tab.overworld.saves.save({ of: 'first' }), isKept);
    trackNumbers(tab.overworld, 1, 2);
    assert.equal(await tab.overworld.flush(), false);
    proxy.decide = () => 'pass';
    const second_id = await tab.logIn(`second, ${isRestarted}`);
    if (isRestarted) {
      await tab.overworld.close({ timeoutMs: 0 });
      tab = openTab(store, proxy);
    }
    trackNumbers(tab.overworld, 3, 4);
    assert.equal(await tab.overworld.flush(), true);
    await tab.overworld.saves.save({ of: 'second' });
    assert.deepEqual(await game.readSave(first_id), { of: 'first' });
    assert.deepEqual(await game.readSave(second_id), { of: 'second' });
    assert.deepEqual(await listEvents(first_id), [1, 2]);
    assert.deepEqual(await listEvents(second_id), [3, 4]);
    await tab.overworld.close();
  }
});

test("a player's calls wait while the player is logged out, hold up nobody's, and are sent after the login", async () => {
  const store = makeStore();
  const tab = openTab(store, proxy);
  const account_id = await tab.logIn('absent');
  proxy.decide = busy;
  await assert.rejects(tab.overworld.saves.save({ of: 'account' }), isKept);
  await assert.rejects(tab.overworld.leaderboards.submit('away', 5), isKept);
  trackNumbers(tab.overworld, 1, 2);
  await tab.overworld.flush();
  await assert.rejects(tab.overworld.account.logout());
  await tab.overworld.close({ timeoutMs: 0 });

  proxy.decide = () => 'pass';
  const next = openTab(store, proxy);
  trackNumbers(next.overworld, 3, 4);
  await next.overworld.saves.save({ of: 'guest' });
  assert.equal((await next.overworld.leaderboards.submit('away', 3)).rank, 1);
  assert.equal(await next.overworld.flush(), false);
  const guest_id = next.overworld.playerId;
  assert.deepEqual(await listEvents(guest_id), [3, 4]);
  assert.equal(next.overworld.queuedCalls, 2);
  assert.ok(next.errors.includes('unauthorized'));
  assert.equal(await game.readSave(account_id), null);
  await next.logIn('absent');
  await next.logIn('a friend of the absent');
  assert.equal(await next.overworld.flush(), true);
  assert.deepEqual(await game.readSave(account_id), { of: 'account' });
  assert.deepEqual(await game.readSave(guest_id), { of: 'guest' });
  assert.deepEqual(await listEvents(account_id), [1, 2]);
  await next.overworld.close();
});

test('a login that the previous release stored is the player of the next start', async () => {
  const store = makeStore();
  const first = openTab(store);
  const account_id = await first.logIn('updated');
  await first.overworld.close();
  // The previous release stored exactly these two values.
  const kept = [...store.values].filter(([key]) => /:(identity|login)$/.test(key));
  assert.deepEqual(
    kept.map(([, text]) => Object.keys(JSON.parse(text)).toSorted()),
    [
      ['device_id', 'player_id', 'secret'],
      'created expires_at is_device player_id player_token providers refresh_token'.split(' '),
    ],
  );
  await using next = openTab(makeStore(new Map(kept)));
  await withClockOff(HOUR_MS, () => next.overworld.saves.save({ of: 'account' }));
  assert.equal(next.overworld.playerId, account_id);
  assert.deepEqual(await game.readSave(account_id), { of: 'account' });
});

type Tab = ReturnType<typeof openTab> & { own_id: string };
const STEPS = ['log in as A', 'log in as B', 'log out', 'link', 'expire', 'erase'] as const;
type Order = { step: (typeof STEPS)[number]; tab: number }[];

/** Makes random orders of six steps, with random tabs. A seed makes the same orders in each run. */
function* makeOrders(count: number): Generator<Order> {
  let state = 33;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  for (let index = 0; index < count; index++) {
    yield Array.from({ length: 6 }, () => ({ step: STEPS[random(6)]!, tab: random(2) }));
  }
}

for (const [index, order] of [...makeOrders(countCases(60))].entries()) {
  const words = order.map(({ step, tab }) => `tab ${tab + 1} ${step}`).join(', ');
  test(`each tab stays its player: ${words}`, async () => {
    const store = makeStore();
    const tabs = [openTab(store), openTab(store)] as Tab[];
    await tabs[0]!.overworld.identify({});
    const guest_id = tabs[0]!.overworld.playerId;
    for (const tab of tabs) tab.own_id = guest_id;
    let next_id = guest_id;
    let off_ms = 0;
    const players = new Set([guest_id]);

    for (const { step, tab: number } of order) {
      const tab = tabs[number]!;
      if (step === 'log in as A' || step === 'log in as B') {
        tab.own_id = next_id = await tab.logIn(`${index} ${step}`);
        players.add(next_id);
      } else if (step === 'log out') {
        await tab.overworld.account.logout();
        if (next_id === tab.own_id) next_id = guest_id;
        tab.own_id = guest_id;
      } else if (step === 'link') {
        const token = await game.sign(`${index} link`);
        await tab.overworld.account.link('custom', { token }).catch(() => undefined);
      } else if (step === 'expire') {
        off_ms += HOUR_MS;
      } else {
        await game.erase(tab.own_id).catch(() => undefined);
      }
      for (const each of tabs) {
        const own_save = { of: each.own_id };
        await withClockOff(off_ms, () =>
          each.overworld.saves.save(own_save, { onConflict: 'ours' }).catch((error) => {
            assert.equal(error.code, 'unauthorized');
          }),
        );
        assert.equal(each.overworld.playerId, each.own_id);
        if (next_id !== each.own_id) assert.equal(each.told.at(-1), next_id);
      }
    }
    for (const player_id of players) {
      const { of = player_id } = (await game.readSave(player_id)) ?? {};
      assert.equal(of, player_id);
    }
    await using third = openTab(store);
    assert.equal(third.overworld.playerId, next_id);
    for (const tab of tabs) await tab.overworld.close();
  });
}

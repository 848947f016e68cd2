import { isComparing } from '@overworld/contract/saves/restoration-limits';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import { selectCount } from '../../../platform/database/select-count.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import { leaseEnd } from '../../../platform/restorations/restoration-store.ts';
import { isOfRestoration } from '../../../platform/restorations/restoration.ts';
import type { SaveKey } from '../save-key.ts';
import { listVersionsOf } from '../store.ts';
import { meetsAll } from './conditions.ts';
import type { SaveCondition } from './conditions.ts';
import { judge } from './judge.ts';
import type { BadSave, KeptVersion } from './judge.ts';
import { restorationStore } from './restoration-store.ts';
import type { Restoration } from './restoration.ts';
import { listKept, readPage } from './version-reader.ts';

/** The most bytes of data that are in memory at a time. */
const MAX_BYTES = 2 * 1024 * 1024;

interface FoundSave extends BadSave {
  save: SaveKey;
}

/** A save whose data have to be read, with the versions that are needed. */
interface OpenSave {
  save: SaveKey;
  versions: readonly KeptVersion[];
  needed: readonly KeptVersion[];
  bytes: number;
}

/**
 * Looks at the saves of the next players, and stores those that are bad.
 * @param segment The players to look at; null for all.
 * @returns false when all saves are counted, or the count is paused.
 */
export async function countNext(
  group: Database,
  restoration: Restoration,
  segment: ReadonlySet<string> | null,
): Promise<boolean> {
  const { game_id, environment, question, after_player_id } = restoration;
  const tenant = { game_id, environment };
  const saves_to_count =
    restoration.saves_to_count ??
    (await selectCount(group, sql`saves WHERE ${isOfTenant(tenant)}`));
  const { saves, is_last } = await readPage(group, tenant, question, after_player_id);
  const seen = saves.filter(({ player_id }) => segment === null || segment.has(player_id));
  const candidates = seen
    .filter(({ is_candidate }) => is_candidate)
    .map(({ player_id, slot }) => ({ ...tenant, player_id, slot }));
  const found = candidates.length === 0 ? [] : await findBad(group, restoration, candidates);
  const countPlayers = (some: readonly { player_id: string }[]) =>
    new Set(some.map(({ player_id }) => player_id)).size;

  return group.transaction(async (tx) => {
    const now = await restorationStore.find(tx, restoration, sql`FOR UPDATE`);
    // It was paused meanwhile, or another server has counted these saves.
    if (now?.state !== 'counting' || now.after_player_id !== after_player_id) return false;
    if (found.length > 0) await insertFound(tx, restoration, found);
    await tx.execute(sql`
      UPDATE save_restorations
      SET after_player_id = ${saves.at(-1)?.player_id ?? after_player_id},
          saves_to_count = ${saves_to_count},
          counted_saves = counted_saves + ${saves.length}::bigint,
          counted_players = counted_players + ${countPlayers(seen)}::bigint,
          player_count = player_count + ${countPlayers(found.map(({ save }) => save))}::bigint,
          save_count = save_count + ${found.length}::bigint,
          played_on_count = played_on_count
            + ${found.filter(({ has_played_on }) => has_played_on).length}::bigint,
          hopeless_count = hopeless_count + ${found.filter(({ good }) => good === null).length}::bigint,
          state = ${is_last ? 'ready' : 'counting'},
          counted_at = ${is_last ? new Date().toISOString() : null}::timestamptz,
          next_step_at = ${leaseEnd}
      WHERE ${isOfRestoration(restoration)}`);
    return !is_last;
  });
}

async function findBad(
  group: Database,
  { question }: Restoration,
  saves: readonly SaveKey[],
): Promise<FoundSave[]> {
  const kept = await listKept(group, question, saves);
  const { data: conditions } = question;
  const asked = saves.flatMap((save, index) => {
    const versions = kept[index]!;
    return versions.some(({ is_asked }) => is_asked) ? [{ save, versions }] : [];
  });
  if (conditions.length === 0) {
    return asked.flatMap(({ save, versions }) => ({ save, ...judge(versions, () => true)! }));
  }
  const compares = conditions.some(({ operator }) => isComparing(operator));
  const open = asked.map(({ save, versions }): OpenSave => {
    const needed = versions.filter(
      ({ is_asked }, index) => is_asked || (compares && versions[index + 1]?.is_asked),
    );
    return {
      save,
      versions,
      needed,
      bytes: needed.reduce((sum, each) => sum + each.size_bytes, 0),
    };
  });
  const found: FoundSave[] = [];
  for (const batch of inBatches(open)) found.push(...(await judgeData(group, conditions, batch)));
  return found;
}

function* inBatches(open: readonly OpenSave[]): Generator<OpenSave[]> {
  let batch: OpenSave[] = [];
  let bytes = 0;
  for (const save of open) {
    if (batch.length > 0 && bytes + save.bytes > MAX_BYTES) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(save);
    bytes += save.bytes;
  }
  if (batch.length > 0) yield batch;
}

async function judgeData(
  group: Database,
  conditions: readonly SaveCondition[],
  batch: readonly OpenSave[],
): Promise<FoundSave[]> {
  const texts = await listVersionsOf(
    group,
    batch.flatMap(({ save, needed }) => needed.map(({ version }) => ({ save, version }))),
  );
  let next = 0;
  return batch.flatMap(({ save, versions, needed }) => {
    const data = new Map<number, unknown>();
    for (const { version } of needed) {
      const text = texts[next++];
      // A version that was dropped meanwhile meets no condition.
      if (text) data.set(version, JSON.parse(text.data));
    }
    const bad = judge(
      versions,
      ({ version }, before) =>
        data.has(version) &&
        meetsAll(
          conditions,
          data.get(version),
          before === null ? undefined : data.get(before.version),
        ),
    );
    return bad === null ? [] : [{ save, ...bad }];
  });
}

const insertFound = (
  tx: Queryable,
  { restoration_id }: Restoration,
  found: readonly FoundSave[],
): Promise<number> =>
  tx.execute(sql`
    INSERT INTO restored_saves
      (game_id, environment, player_id, slot, restoration_id, state, has_played_on, bad_version,
       app_version, good_version, size_bytes, version)
    SELECT found.game_id, found.environment, found.player_id, found.slot, ${restoration_id}::uuid,
           CASE WHEN good_version IS NULL THEN 'hopeless' ELSE 'waiting' END, has_played_on,
           bad_version, app_version, good_version, size_bytes, newest_version
    FROM ${rowsAs(
      'found',
      found.map(({ save, bad, good, newest, has_played_on }) => ({
        ...save,
        has_played_on,
        bad_version: bad.version,
        app_version: bad.app_version,
        good_version: good?.version ?? null,
        size_bytes: good?.size_bytes ?? 0,
        newest_version: newest.version,
      })),
      {
        game_id: 'uuid',
        environment: 'environment',
        player_id: 'text',
        slot: 'text',
        has_played_on: 'boolean',
        bad_version: 'bigint',
        app_version: 'text',
        good_version: 'bigint',
        size_bytes: 'bigint',
        newest_version: 'bigint',
      },
    )}
    -- An erasure of the player waits, and then erases the row too.
    CROSS JOIN LATERAL (
      SELECT FROM players
      WHERE players.game_id = found.game_id AND players.environment = found.environment
        AND players.player_id = found.player_id
      OFFSET 0
      FOR KEY SHARE
    ) AS known
    ON CONFLICT DO NOTHING`);

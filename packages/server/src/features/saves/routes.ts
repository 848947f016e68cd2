import { VERSION_CONFLICT } from '@overworld/contract/answers';
import {
  deleteSave,
  getSave,
  getSaveVersion,
  listSaveVersions,
  putSave,
  restoreSaveVersion,
} from '@overworld/contract/saves/saves';
import type { Database } from '../../platform/database/database.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement, JsonText, Reply } from '../../platform/http/implement.ts';
import { requirePlayer } from '../../platform/players/player-lock.ts';
import type { StorageGuard } from '../../platform/limits/storage-guard.ts';
import type { LastSeen } from '../../platform/players/last-seen.ts';
import { restoreVersion } from './restore-version.ts';
import type { SaveReader } from './save-reader.ts';
import { readSave } from './save-request.ts';
import type { SaveWriter } from './save-writer.ts';
import { listVersionsOf } from './store.ts';
import type { Save } from './store.ts';
import { listVersions } from './version-store.ts';

export interface SaveServices {
  /** The pool for requests of the dashboard. */
  database: Database;
  lastSeen: LastSeen;
  storage: StorageGuard;
  saves: SaveWriter;
  save_reader: SaveReader;
}

export function mountSaves(api: Api, services: SaveServices): void {
  const { guard } = api;
  const { database, lastSeen, storage, saves, save_reader } = services;

  implement(api, putSave, async (call) => {
    const { player_id, ...sent } = readSave(call.body);
    const player = await guard.ownPlayer(call, player_id);
    const adds = { players: 1, save_bytes: sent.size_bytes };
    const outcome = await storage.run(player, adds, ({ save_bytes: limit_reached = null }) =>
      saves.put(player, { ...sent, limit_reached }),
    );
    if (outcome.kind === 'conflict') return versionConflict(outcome.save);
    lastSeen.note(player);
    return { success: true as const, version: outcome.version, updated_at: outcome.updated_at };
  });

  implement(api, getSave, async (call) => {
    const save = await save_reader.submit(await guard.ownPlayer(call, call.query.player_id));
    if (save === null) throw new ApiError(404, 'No save found', { data: null });
    return toJson(save);
  });

  implement(api, deleteSave, async (call) => {
    const player = await guard.ownPlayer(call, call.query.player_id);
    if (!(await saves.delete(player))) throw notFound('No save found');
    lastSeen.note(player);
    return new Reply(204);
  });

  implement(api, listSaveVersions, async ({ params, query }) => {
    const player = { ...params, environment: query.environment };
    const versions = await listVersions(database, player);
    if (versions.saves.length === 0) await requirePlayer(database, player);
    return { ...versions, next_cursor: null };
  });

  implement(api, getSaveVersion, async ({ params: { version, ...player }, query }) => {
    const asked = { player: { ...player, environment: query.environment }, version };
    const [save] = await listVersionsOf(database, [asked]);
    if (!save) throw notFound('Save version not found');
    return toJson(save);
  });

  implement(api, restoreSaveVersion, async ({ params: { version, ...params }, query, actor }) => {
    const player = { ...params, environment: query.environment };
    const { saves: kept } = await listVersions(database, player);
    const save_bytes = kept.find((save) => save.version === version)?.size_bytes ?? 0;
    return storage.run(player, { save_bytes }, ({ save_bytes: limit_reached = null }) =>
      restoreVersion(database, player, version, actor, limit_reached),
    );
  });
}

/** Answers with the data as the text that was sent. */
const toJson = ({ data, version, updated_at }: Save) =>
  new JsonText(`{"data":${data},"version":${version},"updated_at":"${updated_at}"}`);

const versionConflict = ({ data, version, updated_at }: Save) =>
  new Reply<never>(
    409,
    new JsonText(
      `{"error":"${VERSION_CONFLICT}","server_version":${version},"server_data":${data},"updated_at":"${updated_at}"}`,
    ),
  );

import { VERSION_CONFLICT } from '@overworld/contract/answers';
import { deleteSave, getSave, listSaveSlots, putSave } from '@overworld/contract/saves/saves';
import {
  editSave as editSaveOperation,
  getSaveVersion,
  listPlayerSaveSlots,
  listSaveVersions,
  restoreSaveVersion,
} from '@overworld/contract/saves/versions';
import { ApiError, notFound } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement, JsonText, Reply } from '../../platform/http/implement.ts';
import { requirePlayer } from '../../platform/players/player-lock.ts';
import { createSaveCounts, readConflictPercents } from './save-counts.ts';
import { createSaveReader } from './save-reader.ts';
import { readAppVersion, readEdit, readSave } from './save-request.ts';
import { listSlots } from './slots.ts';
import { listVersionsOf } from './store.ts';
import type { Save } from './store.ts';
import { editSave } from './versions/edit-save.ts';
import { restoreVersion } from './versions/restore-version.ts';
import { saveStory } from './versions/story.ts';
import { createSaveSource, listVersions } from './versions/version-store.ts';
import { createSaveWriter } from './writes/save-writer.ts';

/** @returns the player data of saves, and the share of saves in conflict, for other features. */
export function mountSaves(api: Api) {
  const { opened, hot, guard, lastSeen, storage } = api;
  const history_bytes = api.config.save_history_kb * 1024;
  const saves = opened.add(createSaveWriter(hot, history_bytes));
  const save_counts = opened.add(createSaveCounts(api.database, api.background));
  const save_reader = opened.add(createSaveReader(hot));

  implement(api, putSave, async (call) => {
    const { player_id, slot, ...sent } = readSave(call.body);
    const app_version = readAppVersion(call.headers);
    const save = { ...(await guard.ownPlayer(call, player_id)), slot };
    const adds = { players: 1, save_bytes: sent.size_bytes };
    const outcome = await storage.run(save, adds, ({ save_bytes: limit_reached = null }) =>
      saves.put(save, { ...sent, app_version, limit_reached }),
    );
    save_counts.note(save, outcome.kind === 'conflict');
    if (outcome.kind === 'conflict') return versionConflict(outcome.save);
    lastSeen.note(save);
    return { success: true as const, version: outcome.version, updated_at: outcome.updated_at };
  });

  implement(api, getSave, async (call) => {
    const { player_id, slot } = call.query;
    const player = await guard.ownPlayer(call, player_id);
    const save = await save_reader.submit({ ...player, slot });
    if (save === null) throw new ApiError(404, 'No save found', { data: null });
    return toJson(save);
  });

  implement(api, deleteSave, async (call) => {
    const { player_id, slot } = call.query;
    const save = { ...(await guard.ownPlayer(call, player_id)), slot };
    if (!(await saves.delete(save))) throw notFound('No save found');
    lastSeen.note(save);
  });

  implement(api, listSaveSlots, async (call) => {
    const player = await guard.ownPlayer(call, call.query.player_id);
    const slots = await listSlots(call.hot, player);
    const present = slots.filter(({ deleted_at }) => deleted_at === null);
    return { slots: present.map(({ deleted_at: _deleted_at, ...slot }) => slot) };
  });

  implement(api, listPlayerSaveSlots, async ({ params, query: { environment }, database }) => {
    const player = { ...params, environment };
    const slots = await listSlots(database, player);
    if (slots.length === 0) await requirePlayer(database, player);
    return { slots, next_cursor: null };
  });

  implement(api, listSaveVersions, async ({ params, query: { environment, slot }, database }) => {
    const save = { ...params, environment, slot };
    const versions = await listVersions(database, save);
    if (versions.saves.length === 0) await requirePlayer(database, save);
    return { ...versions, next_cursor: null };
  });

  implement(api, getSaveVersion, async ({ params, query, database }) => {
    const { version, ...player } = params;
    const { environment, slot } = query;
    const asked = { save: { ...player, environment, slot }, version };
    const [save] = await listVersionsOf(database, [asked]);
    if (!save) throw notFound('Save version not found');
    return toJson(save);
  });

  implement(api, restoreSaveVersion, async ({ params, query, actor, database }) => {
    const { version, ...player } = params;
    const { environment, slot } = query;
    const save = { ...player, environment, slot };
    const { saves: kept } = await listVersions(database, save);
    const save_bytes = kept.find((each) => each.version === version)?.size_bytes ?? 0;
    return storage.run(save, { save_bytes }, ({ save_bytes: limit_reached = null }) =>
      restoreVersion(database, actor, { save, version, limit_reached, history_bytes }),
    );
  });

  implement(
    api,
    editSaveOperation,
    async ({ params, query, body, actor, database }) => {
      const { version, data, size_bytes } = body;
      const save = { ...params, ...query };
      const outcome = await storage.run(
        save,
        { save_bytes: size_bytes },
        ({ save_bytes: limit_reached = null }) => {
          const edit = { save, version, data, limit_reached, history_bytes };
          return editSave(database, actor, edit);
        },
      );
      if (outcome.kind === 'stored') return outcome.stored;
      return versionConflict(outcome.save, outcome.deleted_at);
    },
    readEdit,
  );
  return { source: createSaveSource(history_bytes), story: saveStory, readConflictPercents };
}

/** Writes the answer with `data` exactly as it was sent. */
const toJson = ({ data, version, updated_at }: Save) =>
  new JsonText(`{"data":${data},"version":${version},"updated_at":"${updated_at}"}`);

const CONFLICT_JSON = JSON.stringify(VERSION_CONFLICT);

/**
 * @param deleted_at The time when the save was deleted, or null if it
 * exists; undefined in an answer to a game.
 */
function versionConflict({ data, version, updated_at }: Save, deleted_at?: string | null) {
  const conflict = `{"error":${CONFLICT_JSON},"server_version":${version},"server_data":${data},"updated_at":"${updated_at}"`;
  const deletion = deleted_at === undefined ? '' : `,"deleted_at":${JSON.stringify(deleted_at)}`;
  return new Reply<never>(409, new JsonText(`${conflict}${deletion}}`));
}

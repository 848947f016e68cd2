import type { Annotation } from '@overworld/contract/analytics/annotations';
import {
  MAX_ANNOTATION_LENGTH,
  MAX_ANNOTATIONS,
  MAX_ANNOTATIONS_SHOWN,
} from '@overworld/contract/analytics/annotation-limits';
import type { Environment } from '@overworld/contract/common';
import { isVisible } from '@overworld/contract/names';
import type { TokenRole } from '@overworld/contract/operation';
import type { Actor } from '../../platform/audit.ts';
import { hasRole } from '../../platform/auth/accounts.ts';
import type { Database } from '../../platform/database/database.ts';
import { ApiError, badRequest, conflict, notFound } from '../../platform/errors.ts';
import { changeGame } from '../../platform/game-change.ts';
import { parseTime } from '../../platform/iso-time.ts';
import { checkDay } from '../../platform/reports/date-range.ts';
import type { DateRange } from '../../platform/reports/date-range.ts';
import * as store from './store.ts';
import type { LoggedMoment, Note, NoteKey, NoteTime } from './store.ts';

/** The author of a change, and the author's role in the game. */
export interface Editor {
  actor: Actor;
  role: TokenRole;
}

interface Sent {
  text?: string;
  day?: string;
  at?: string;
}

/** Lists the latest versions of the game that began on these days. */
export type ListReleases = (
  database: Database,
  tenant: { game_id: string; environment: Environment },
  range: DateRange,
  limit: number,
) => Promise<{ id: string; version: string; name: string | null; day: string; at: string }[]>;

/**
 * Lists the annotations of the days, the earliest first. If one answer cannot hold all of them, lists
 * only the latest ones.
 */
export async function listAnnotations(
  database: Database,
  tenant: { game_id: string; environment: Environment },
  range: DateRange,
  { editor, listReleases }: { editor: Editor; listReleases: ListReleases },
): Promise<{ annotations: Annotation[]; is_complete: boolean }> {
  const limit = MAX_ANNOTATIONS_SHOWN + 1;
  const notes = await store.listNotes(database, tenant, range, limit);
  const moments = await store.listMoments(database, tenant, range, limit);
  const releases = await listReleases(database, tenant, range, limit);
  const all = [
    ...notes.map((note) => showNote(note, editor)),
    ...moments.map(showMoment),
    ...releases.map(showRelease),
  ].sort((a, b) => compare(a.day, b.day) || compare(a.at ?? '', b.at ?? ''));
  return {
    annotations: all.slice(-MAX_ANNOTATIONS_SHOWN),
    is_complete: all.length <= MAX_ANNOTATIONS_SHOWN,
  };
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/**
 * @throws ApiError 400 for invalid input, 409 when the game already has the maximum number of
 * annotations.
 */
export async function createAnnotation(
  database: Database,
  tenant: { game_id: string; environment: Environment },
  sent: Sent & { text: string },
  editor: Editor,
): Promise<Annotation> {
  const time = readTime(sent);
  if (time === null) throw badRequest('day or at is required');
  const text = readText(sent.text);
  const { account } = editor.actor;
  return changeGame(
    database,
    { game_id: tenant.game_id, actor: editor.actor },
    async (tx, record) => {
      if ((await store.countNotes(tx, tenant.game_id)) >= MAX_ANNOTATIONS) {
        throw conflict(
          `A game may have at most ${MAX_ANNOTATIONS} annotations: delete old ones first`,
        );
      }
      const author_id = account?.account_id ?? null;
      const fields = { text, author_id, author_email: account?.email ?? null };
      const note = await store.insertNote(tx, tenant, time, fields);
      await record('create_annotation', note.day, { environment: tenant.environment, text });
      return showNote(note, editor);
    },
  );
}

/**
 * @throws ApiError 400 for invalid input, 403 when another member wrote the annotation, 404 when it does
 * not exist.
 */
export async function updateAnnotation(
  database: Database,
  key: NoteKey,
  sent: Sent,
  editor: Editor,
): Promise<Annotation> {
  const sent_time = readTime(sent);
  return changeGame(database, { game_id: key.game_id, actor: editor.actor }, async (tx, record) => {
    const before = await findEditable(tx, key, editor);
    const text = sent.text === undefined ? before.text : readText(sent.text);
    const same: NoteTime =
      before.at === null ? { day: before.day, at: null } : { day: null, at: before.at };
    const note = await store.updateNote(tx, key, sent_time ?? same, text);
    await record('update_annotation', note.day, {
      text,
      text_before: before.text,
      day_before: before.day,
    });
    return showNote(note, editor);
  });
}

/** @throws ApiError 403 when another member wrote the annotation, 404 when it does not exist. */
export async function deleteAnnotation(
  database: Database,
  key: NoteKey,
  editor: Editor,
): Promise<void> {
  await changeGame(database, { game_id: key.game_id, actor: editor.actor }, async (tx, record) => {
    const { day, text } = await findEditable(tx, key, editor);
    await store.deleteNote(tx, key);
    await record('delete_annotation', day, { text });
  });
}

async function findEditable(
  tx: Parameters<typeof store.findNote>[0],
  key: NoteKey,
  editor: Editor,
): Promise<Note> {
  const note = await store.findNote(tx, key);
  if (note === null) throw notFound('Annotation not found');
  if (!mayEdit(note, editor)) {
    throw new ApiError(403, 'Only its author and admins may change this annotation');
  }
  return note;
}

export function mayEdit({ author_id }: Pick<Note, 'author_id'>, { actor, role }: Editor): boolean {
  const isAuthor = author_id !== null && author_id === actor.account?.account_id;
  return hasRole(role, isAuthor ? 'developer' : 'admin');
}

/**
 * Reads the day or the time from a request; null when the request has neither.
 * @throws ApiError 400 for an invalid day or time.
 */
function readTime({ day, at }: Sent): NoteTime | null {
  if (day !== undefined && at !== undefined) throw badRequest('at must not stand beside day');
  if (day !== undefined) {
    checkDay('day', day);
    return { day, at: null };
  }
  if (at === undefined) return null;
  const time = parseTime(at);
  if (time === null) throw badRequest('at must be a valid ISO 8601 time');
  const moment = new Date(time).toISOString();
  checkDay('at', moment.slice(0, 10));
  return { day: null, at: moment };
}

function readText(sent: string): string {
  const text = sent.trim();
  if (!isVisible(text)) throw badRequest('text must not be empty');
  return text;
}

const showNote = (note: Note, editor: Editor): Annotation => {
  const { id, day, at, text, created_by } = note;
  return { id, kind: 'note', day, at, text, created_by, may_edit: mayEdit(note, editor) };
};

const showMoment = (moment: LoggedMoment): Annotation => ({
  id: `logged-${moment.id}`,
  kind: moment.action === 'rotate_api_key' ? 'key_rotation' : 'config',
  day: moment.day,
  at: moment.at,
  text: wordsOf(moment),
  created_by: moment.created_by,
  may_edit: false,
});

const showRelease = (release: Awaited<ReturnType<ListReleases>>[number]): Annotation => ({
  id: `release-${release.id}`,
  kind: 'release',
  day: release.day,
  at: release.at,
  text: `Version ${release.version}${release.name === null ? '' : `: ${release.name}`}`,
  created_by: null,
  may_edit: false,
});

/** Describes an entry of the audit log, such as `Remote config version 7: changed daily_reward`. */
function wordsOf(moment: LoggedMoment): string {
  const { action, name, version, restored_version } = moment;
  if (action === 'rotate_api_key') return `New API key for ${name}`;
  const listed = (['added', 'changed', 'removed'] as const).flatMap((change) =>
    moment[change] === '' ? [] : [`${change} ${moment[change]}`],
  );
  const back = action === 'roll_back_config' ? `, back to ${restored_version}` : '';
  const text = `Remote config version ${version}${back}: ${listed.join('; ')}`;
  return text.length > MAX_ANNOTATION_LENGTH
    ? `${text.slice(0, MAX_ANNOTATION_LENGTH - 1).toWellFormed()}…`
    : text;
}

import { applyCopy, planCopy } from '@overworld/contract/definitions/copies';
import {
  applyDefinitions,
  planDefinitions,
  readDefinitions,
  readDefinitionSchema,
} from '@overworld/contract/definitions/definitions';
import type { Effect } from '@overworld/contract/definitions/effects';
import { tryDefinition } from '@overworld/contract/definitions/trials';
import type { BodyOf, TokenRole } from '@overworld/contract/operation';
import type { Api } from '../../platform/http/api.ts';
import { compileBody } from '../../platform/http/validation.ts';
import { implement, JsonPieces } from '../../platform/http/implement.ts';
import type { Call } from '../../platform/http/implement.ts';
import { writeExactly } from '../../platform/json/exact-json.ts';
import { createPauses } from '../../platform/pauses.ts';
import { answerWithProgress } from '../../platform/reports/progress-report.ts';
import { concealChanges, seesAll } from './concealment.ts';
import type { Plan } from './compare.ts';
import { answerEffects, answerQuestions, askEffects } from './effects.ts';
import type { EffectServices } from './effects.ts';
import { fileSchemaOf } from './file-schema.ts';
import { createDefinitionMachine, readHashKey } from './machine.ts';
import type { Want } from './machine.ts';
import { wantCopy } from './copy.ts';
import { askTrial, toTrial } from './try.ts';
import { readWanted, requireJson } from './wanted.ts';

type Planning = BodyOf<typeof planDefinitions>;
type ApplyingBody = BodyOf<typeof applyDefinitions>;
/** The part that a plan of documents and a plan of a copy have in common. */
type PlanCall = Pick<
  Call<typeof planCopy>,
  'params' | 'query' | 'role' | 'database' | 'read' | 'owner' | 'signal'
>;

export function mountDefinitions(
  api: Api,
  services: Pick<EffectServices, 'waitForInbox' | 'countEffects'>,
): void {
  const kinds = api.definitions;
  const machine = createDefinitionMachine(kinds, api.uses.list);
  const of_effects = { ...services, kinds, listUses: api.uses.list };

  /** Shows a plan as far as a role may see its definitions. */
  const show = (plan: Plan, role: TokenRole, effects?: Effect[]) => {
    const {
      id,
      digest,
      role: needed,
      changes,
    } = seesAll(role) ? plan : concealChanges(kinds, plan);
    const shown = changes.map(({ role: _, ...change }) => change);
    const lists = { changes: shown, ...(effects && { effects }) };
    return writeInPieces({ plan: id, digest, role: needed }, lists);
  };

  implement(api, readDefinitions, async ({ params, role, database, read }) => {
    const game = { ...params, hash_key: await readHashKey(database), sees_all: seesAll(role) };
    const { digest, all } = await read((reads) => machine.read(reads, game));
    const definitions = [...all].flatMap(([kind, byKey]) =>
      [...byKey].map(([key, definition]) => ({ kind, key, definition })),
    );
    return writeInPieces({ digest }, { definitions });
  });

  /** Plans, and counts what the plan does if the caller asks for it. */
  const planFor = ({ params, query, role, database, read, owner, signal }: PlanCall, want: Want) =>
    answerWithProgress(query.format, async (onShare) => {
      const { game_id } = params;
      const game = { game_id, hash_key: await readHashKey(database), sees_all: seesAll(role) };
      const { plan, asked } = await read(async (reads) => {
        const planned = await machine.plan(reads, game, want);
        const isCounted = query.effects === 'count';
        return {
          plan: planned.plan,
          asked: isCounted ? await askEffects(of_effects, reads, { game_id, role }, planned) : null,
        };
      });
      if (asked === null) return show(plan, role);
      const asker = { owner, signal, onShare };
      return show(plan, role, await answerEffects(of_effects, game_id, asked, asker));
    });

  // The bodies are read after the check of membership, because that takes long.
  implement(
    api,
    planDefinitions,
    async (call) => {
      const { wanted } = await readWanted<Planning>(kinds, call.body, checkPlan);
      return planFor(call, () => wanted);
    },
    requireJson,
  );

  implement(
    api,
    applyDefinitions,
    async ({ params, body: bytes, actor, role, database, change }) => {
      const { body, wanted } = await readWanted<ApplyingBody>(kinds, bytes, checkApply);
      const { plan, commit = null, replace_used = false } = body;
      const want = () => wanted;
      const origin = { commit };
      const asked = { ...params, actor, role, want, plan, replace_used, origin };
      return show(await change(() => machine.apply(database, asked)), role);
    },
    requireJson,
  );

  implement(api, planCopy, async (call) => await planFor(call, wantCopy(call.body)));

  implement(api, applyCopy, async ({ params, body, actor, role, database, change }) => {
    const { plan, ...origin } = body;
    const want = wantCopy(body);
    const asked = { ...params, actor, role, want, plan, replace_used: false, origin };
    return show(await change(() => machine.apply(database, asked)), role);
  });

  implement(api, tryDefinition, async ({ params, query, body, database, read, owner, signal }) => {
    const { game_id } = params;
    const game = { game_id, tried_in: query.environment };
    const asker = { owner, signal };
    const asked = await askTrial(kinds, { database, read, ...asker }, game, body);
    const environments = [query.environment];
    const answerOf = await answerQuestions(services, game_id, environments, asked, asker);
    return { trials: asked.flatMap(answerOf).map(toTrial) };
  });

  implement(api, readDefinitionSchema, ({ params }) => Promise.resolve(fileSchemaOf(params.kind)));
}

/** A piece of an answer has at least so many characters, except the last one. */
const PIECE_LENGTH = 64 * 1024;

const checkPlan = compileBody(planDefinitions.body);
const checkApply = compileBody(applyDefinitions.body);

/** Writes an answer with long lists entry by entry, because the whole could block the event loop. */
function writeInPieces(members: object, lists: Record<string, readonly object[]>): JsonPieces {
  async function* pieces() {
    const pause = createPauses();
    let piece = JSON.stringify(members).slice(0, -1);
    for (const [name, list] of Object.entries(lists)) {
      piece += `,"${name}":[`;
      for (const [index, entry] of list.entries()) {
        piece += `${index > 0 ? ',' : ''}${writeExactly(entry)}`;
        if (piece.length > PIECE_LENGTH) {
          yield piece;
          piece = '';
        }
        await pause();
      }
      piece += ']';
    }
    yield `${piece}}`;
  }
  return new JsonPieces(pieces());
}

import {
  applyDefinitions,
  planDefinitions,
  readDefinitions,
  readDefinitionSchema,
} from '@overworld/contract/definitions/definitions';
import type { BodyOf } from '@overworld/contract/operation';
import type { Api } from '../../platform/http/api.ts';
import { compileBody } from '../../platform/http/validation.ts';
import { implement, JsonText } from '../../platform/http/implement.ts';
import { writeExactly } from '../../platform/json/exact-json.ts';
import { fileSchemaOf } from './file-schema.ts';
import { createDefinitionMachine } from './machine.ts';
import type { Plan } from './machine.ts';
import { readWanted } from './wanted.ts';

const show = ({ id, ...rest }: Plan) => new JsonText(writeExactly({ plan: id, ...rest }));

export function mountDefinitions(api: Api): void {
  const machine = createDefinitionMachine(api.definitions);

  implement(api, readDefinitions, async ({ params, read }) => {
    const { digest, all } = await read((database) => machine.read(database, params.game_id));
    const definitions = [...all].flatMap(([kind, byKey]) =>
      [...byKey].map(([key, definition]) => ({ kind, key, definition })),
    );
    return new JsonText(writeExactly({ digest, definitions }));
  });

  implement(
    api,
    planDefinitions,
    async ({ params, body, read }) =>
      show(await read((database) => machine.plan(database, params.game_id, body.wanted))),
    (bytes: Buffer) => readWanted(api.definitions, bytes, checkPlan),
  );

  implement(
    api,
    applyDefinitions,
    async ({ params, body, actor, role, database, change }) => {
      const { plan, commit = null } = body.body;
      const { wanted } = body;
      const asked = { ...params, actor, role, wanted, plan, commit };
      return show(await change(() => machine.apply(database, asked)));
    },
    (bytes: Buffer) =>
      readWanted<BodyOf<typeof applyDefinitions>>(api.definitions, bytes, checkApply),
  );

  implement(api, readDefinitionSchema, ({ params }) => Promise.resolve(fileSchemaOf(params.kind)));
}

const checkPlan = compileBody(planDefinitions.body);
const checkApply = compileBody(applyDefinitions.body);

import type { TObject, TSchema } from 'typebox';
import { MAX_ACCESS_TOKEN_DAYS } from './access-tokens/limits.ts';
import { ANSWER_MARK } from './answer-mark.ts';
import { allAnswers, IMPLIED_ANSWERS } from './implied-answers.ts';
import { GROUPS } from './groups.ts';
import { INTRODUCTION } from './introduction.ts';
import { isRole, ROLES, tokenRoleOf } from './operation.ts';
import type { Access, Answer, Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { t } from './schema.ts';
import { ALERT_EVENTS, SERVICE_EVENTS, SIGNATURE_HEADERS } from './webhooks/service-events.ts';

/** An OpenAPI 3.1 document. */
interface OpenApiDocument {
  openapi: string;
  info: Json;
  servers: Json[];
  tags: Json[];
  'x-tagGroups': Json[];
  paths: Record<string, Record<string, Json>>;
  /** The messages to webhooks of games, by the type of their event. */
  webhooks: Record<string, Json>;
  components: { securitySchemes: Json; headers: Json; responses: Json; schemas: Json };
}

type Json = Record<string, unknown>;

/**
 * Describes the whole API for tools and the reference: every operation with its parameters, body,
 * answers, examples and callers. Schemas with a title become components.
 * @param release Version of the server, such as `0.1.0`.
 */
export function describeApi(release: string): OpenApiDocument {
  const schemas: Json = {};
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of OPERATIONS.toSorted(compareOperations)) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = describeOperation(operation, schemas);
  }
  const responses = Object.entries(IMPLIED_ANSWERS).map(([name, answer]) => [
    name,
    describeAnswer(answer, schemas),
  ]);
  const used = new Set<string>(OPERATIONS.map(({ group }) => group));
  const headings = Object.entries(GROUPS).map(([name, groups]) => ({
    name,
    groups: Object.entries(groups)
      .map(([group, description]) => ({ name: group, description }))
      .filter((group) => used.has(group.name)),
  }));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Overworld API',
      version: release,
      summary: 'Game backend: events, players, saves, achievements, leaderboards, remote config.',
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags: headings.flatMap(({ groups }) => groups),
    'x-tagGroups': headings.map(({ name, groups }) => ({
      name,
      tags: groups.map((group) => group.name),
    })),
    paths,
    webhooks: describeServiceEvents(schemas),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-game-api-key',
          description: 'API key of one environment of a game; it is made in the dashboard.',
        },
        playerToken: {
          type: 'apiKey',
          in: 'header',
          name: 'x-player-token',
          description:
            'Token of a player who has logged in; sent with the API key, and valid for an hour.',
        },
        account: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'Token of a dashboard account, from register or login; valid for 7 days.',
        },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'ow_pat_…',
          description: `Access token of a member, for machines; valid for at most ${MAX_ACCESS_TOKEN_DAYS} days.`,
        },
      },
      headers: {
        AnswerMark: {
          description:
            'Release of the server. Answers of proxies and other servers lack this header.',
          schema: { type: 'string' },
        },
      },
      responses: Object.fromEntries(responses),
      schemas,
    },
  };
}

/** Describes the messages that webhooks get. Receivers answer with any 2xx. */
function describeServiceEvents(schemas: Json): Record<string, Json> {
  const events = { ...SERVICE_EVENTS, ...ALERT_EVENTS };
  const describe = ([type, event]: [string, (typeof events)[keyof typeof events]]) => {
    const schema = t.Object({
      type: t.Literal(type),
      timestamp: t.Timestamp('When the event happened.'),
      data: event.data,
    });
    const example = { type, timestamp: '2026-03-01T18:24:05.120Z', data: event.example };
    const post = {
      operationId: type.replaceAll(/[._](\w)/g, (_match, letter: string) => letter.toUpperCase()),
      tags: ['Webhooks'],
      summary: event.label,
      description: event.description,
      parameters: describeParameters('header', SIGNATURE_HEADERS, schemas),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: toSchema(schema, schemas), example } },
      },
      responses: { '2XX': { description: 'The message is taken; it is not sent again.' } },
    };
    return [type, { post }];
  };
  return Object.fromEntries(Object.entries(events).map(describe));
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const GROUP_NAMES = Object.values(GROUPS).flatMap((groups) => Object.keys(groups));

/** Orders operations by heading, then by path, then from reading to deleting. */
function compareOperations(a: Operation, b: Operation): number {
  const byGroup = GROUP_NAMES.indexOf(a.group) - GROUP_NAMES.indexOf(b.group);
  if (byGroup !== 0) return byGroup;
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return METHODS.indexOf(a.method) - METHODS.indexOf(b.method);
}

function describeOperation(operation: Operation, schemas: Json): Json {
  const { id, group, summary, params, query, headers, body, example } = operation;
  return {
    operationId: id,
    tags: [group],
    summary,
    description: [operation.description, ...describeAccess(operation)].join('\n\n'),
    security: securityOf(operation),
    parameters: [
      ...describeParameters('path', params, schemas),
      ...describeParameters('query', query, schemas),
      ...describeParameters('header', headers, schemas),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: describeBody(body, schemas), example } },
      },
    }),
    responses: Object.fromEntries(
      Object.entries(allAnswers(operation)).map(([status, answer]) => [
        status,
        referToImplied(answer) ?? describeAnswer(answer, schemas),
      ]),
    ),
  };
}

/** Describes a body as callers may send it: members with a default may be left out. */
function describeBody(body: TSchema, schemas: Json): Json {
  const { required, ...schema } = toSchema(body, schemas);
  if (!Array.isArray(required)) return schema;
  const properties = schema.properties as Record<string, Json>;
  const needed = required.filter((name: string) => !('default' in properties[name]!));
  return needed.length > 0 ? { ...schema, required: needed } : schema;
}

/** Writes a paragraph about the callers of an operation that needs credentials. */
function describeAccess(operation: Operation): string[] {
  const { access } = operation;
  if (access === 'anyone') return [];
  if (access === 'key') return ['Called by a game, with its API key.'];
  if (access === 'server_key') return ["Called by the studio's own server, with a server key."];
  const role = tokenRoleOf(operation);
  const tokens =
    role === null
      ? 'No access token can make the call.'
      : `An access token needs the role \`${role}\` or one above it.`;
  return [`${describeAccounts(access)} ${tokens}`];
}

function describeAccounts(access: Access): string {
  if (access === 'key_or_account') return 'Called by a game with its API key, or by an account.';
  if (access === 'administrator') return 'Needs an administrator of the installation.';
  if (!isRole(access)) return 'Called by any active account.';
  const roles = ROLES.slice(ROLES.indexOf(access)).map((role) => `\`${role}\``);
  return `Needs an account with the role ${roles.join(' or ')} in the game.`;
}

function securityOf(operation: Operation): Json[] {
  const { access } = operation;
  if (access === 'anyone') return [];
  const byKey = [{ apiKey: [] }, { apiKey: [], playerToken: [] }];
  if (access === 'key') return byKey;
  if (access === 'server_key') return [{ apiKey: [] }];
  return [
    ...(access === 'key_or_account' ? byKey : []),
    { account: [] },
    ...(tokenRoleOf(operation) === null ? [] : [{ accessToken: [] }]),
  ];
}

function describeParameters(
  place: 'path' | 'query' | 'header',
  object: TObject | undefined,
  schemas: Json,
): Json[] {
  const required = (object as { required?: string[] } | undefined)?.required ?? [];
  return Object.entries(object?.properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = toSchema(schema, schemas);
    const isRequired = place === 'path' || (required.includes(name) && !('default' in rest));
    return { name, in: place, required: isRequired, description, schema: rest };
  });
}

function referToImplied(answer: Answer): Json | null {
  const implied = Object.entries(IMPLIED_ANSWERS).find(([, shared]) => shared === answer);
  return implied ? { $ref: `#/components/responses/${implied[0]}` } : null;
}

function describeAnswer(answer: Answer, schemas: Json): Json {
  const { description, headers, body, example, text_type = 'application/json' } = answer;
  const [media_type] = text_type.split(';');
  const others = (answer.media_types ?? []).map((type) => [type, { schema: { type: 'string' } }]);
  const describeHeader = ([name, schema]: [string, TSchema]) => {
    const { description: words, ...rest } = toSchema(schema, schemas);
    return [name, { description: words, schema: rest }];
  };
  return {
    description,
    headers: {
      [ANSWER_MARK]: { $ref: '#/components/headers/AnswerMark' },
      ...Object.fromEntries(Object.entries(headers?.properties ?? {}).map(describeHeader)),
    },
    ...(body && {
      content: {
        [media_type!]: { schema: toSchema(body, schemas), example },
        ...Object.fromEntries(others),
      },
    }),
  };
}

/** Turns a schema into plain JSON. Titled schemas move to `schemas`; references take their places. */
function toSchema(schema: TSchema, schemas: Json): Json {
  return refer(JSON.parse(JSON.stringify(schema)), schemas) as Json;
}

function refer(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => refer(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, refer(member, schemas)]),
  );
  const { title } = schema;
  // Code generators also need the type of an enum.
  if (Array.isArray(schema.enum)) schema.type ??= 'string';
  if (typeof title !== 'string') return schema;
  const known = schemas[title];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`Two schemas have the title ${title}`);
  }
  schemas[title] = schema;
  return { $ref: `#/components/schemas/${title}` };
}

import { Type } from 'typebox';
import type { TObject, TProperties, TSchema } from 'typebox';
import type { Answer } from './operation.ts';

/** A name or id chosen by the game: 1 to 255 characters of any kind. */
export const Name = (description: string) =>
  Type.String({ minLength: 1, maxLength: 255, description });

export const Email = Type.String({
  minLength: 1,
  maxLength: 254,
  description: 'E-mail address. Upper and lower case are the same, spaces around it do not count.',
});

/** What the link of an e-mail carries. */
export const LinkToken = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'The token of the link in the e-mail.',
});

/** Any JSON object. Keys are ordinary data, `__proto__` too. */
export const JsonObject = (description: string) =>
  Type.Object({}, { additionalProperties: true, description });

/** A moment, as the API sends it: `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export const Timestamp = (description: string) => Type.String({ format: 'date-time', description });

export const Uuid = (description: string) => Type.String({ format: 'uuid', description });

/** The schema, or null. */
export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

export const ENVIRONMENTS = ['development', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];
export const EnvironmentName = Type.Enum([...ENVIRONMENTS], {
  description: 'Environment of the game: player data is separate in each.',
});

/** Path parameter of every operation on one game. */
export const GameId = Type.String({ description: 'Id of the game (uuid).' });

/** Query of the dashboard operations on player data. */
export const EnvironmentQuery = Type.Object({
  environment: Type.Enum([...ENVIRONMENTS], {
    default: 'production',
    description: 'Environment of the game; production when left out.',
  }),
});

/** Query of a list that is read page by page. */
export const PageQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 50,
    description: 'Largest number of entries in one answer.',
  }),
  cursor: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: '`next_cursor` of the page before; left out for the first page.',
    }),
  ),
});

/** Header of a PUT that makes or changes something. */
export const IfNoneMatch = (something: string) =>
  Type.Object({
    'if-none-match': Type.Optional(
      Type.Literal('*', { description: `\`*\`: only if there is no ${something} yet, else 409.` }),
    ),
  });

/** Joins the properties of several object schemas. */
export function merge<A extends TProperties, B extends TProperties>(
  a: TObject<A>,
  b: TObject<B>,
): TObject<A & B> {
  return Type.Object({ ...a.properties, ...b.properties }) as unknown as TObject<A & B>;
}

/** A page of a list: `{<plural>: [...], next_cursor}`; `next_cursor` is null at the end. */
export function PageOf<K extends string, S extends TSchema>(plural: K, item: S) {
  return Type.Object({
    [plural]: Type.Array(item),
    next_cursor: Nullable(
      Type.String({ description: 'Give it as `cursor` to read on; null at the end.' }),
    ),
  } as { [P in K]: ReturnType<typeof Type.Array<S>> } & {
    next_cursor: ReturnType<typeof Nullable<ReturnType<typeof Type.String>>>;
  });
}

/** An object that has a name of its own in the API description. */
export const Resource = <P extends TProperties>(title: string, properties: P) =>
  Type.Object(properties, { title });

/** Every error body: `error` says what is wrong, in words. */
export const ErrorBody = Type.Object(
  { error: Type.String({ description: 'What is wrong, in words.' }) },
  { title: 'Error', additionalProperties: true },
);

/** An error answer that has no more than `error`. */
export function errorAnswer(description: string, error: string): Answer {
  return { description, body: ErrorBody, example: { error } };
}

/** Body of 429 when a caller makes too many requests. */
export const RateLimitedBody = Type.Object(
  {
    error: Type.Literal('Too Many Requests'),
    statusCode: Type.Literal(429),
    message: Type.String({ description: 'When to try again, in words.' }),
  },
  { title: 'RateLimited' },
);

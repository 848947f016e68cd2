import type { TProperties, TSchema } from 'typebox';
import { MAX_COUNTED } from './list-total.ts';
import type { Answer } from './operation.ts';
import { t } from './schema.ts';

/** Makes an answer with a body. */
export const answer = <B extends TSchema>(description: string, body: B, example: unknown) => ({
  description,
  body,
  example,
});

/** Makes the schema of one page of a list. The page does not have the total of the list. */
export function PageOf<K extends string, S extends TSchema>(plural: K, item: S) {
  return t.Object({
    [plural]: t.Array(item),
    next_cursor: t.Nullable(t.String('Give it as `cursor` to read on; null at the end.')),
  } as { [P in K]: ReturnType<typeof t.Array<S>> } & {
    next_cursor: ReturnType<typeof t.Nullable<ReturnType<typeof t.String>>>;
  });
}

/** Makes the answer with a list that has only one page. */
export const onePageAnswer = <K extends string, S extends TSchema>(
  description: string,
  plural: K,
  item: S,
  example: unknown,
) => answer(description, PageOf(plural, item), { [plural]: [example], next_cursor: null });

/** Makes the members of a `ListTotal`. */
export const totalMembers = (max: number) => ({
  count: t.Integer(`Number of entries that were counted, at most ${max}.`),
  is_exact: t.Boolean('True: the list has just as many. False: it has at least as many.'),
});

/** The total of a list, if it was asked for. */
export const Total = t.Object(totalMembers(MAX_COUNTED), {
  title: 'Total',
  description: 'Number of entries on all pages; only with `with_total`.',
});

/**
 * Makes the answer with a page of a list: `{<plural>: [...], next_cursor}`; `next_cursor` is null at the end.
 * With `with_total` in the query, the page also has `total`.
 * @param example An entry of the list.
 */
export const pageAnswer = <K extends string, S extends TSchema>(
  description: string,
  plural: K,
  item: S,
  example: unknown,
) =>
  answer(description, t.Object({ ...PageOf(plural, item).properties, total: t.Optional(Total) }), {
    [plural]: [example],
    next_cursor: null,
  });

/**
 * The error for a change of something with a version, such as a save or a config, if the sent version is not
 * the server's version.
 */
export const VERSION_CONFLICT = 'Version conflict';

/** Every error body: `error` names the problem in words. */
export const ErrorBody = t.Object(
  { error: t.String('The problem in words.') },
  { title: 'Error', additionalProperties: true },
);

/** Makes the body of an error that has more members than `error`. */
export const ErrorWith = <P extends TProperties>(members: P) =>
  t.Object({ ...ErrorBody.properties, ...members });

/** The definitions that refer to a thing, in an error that refuses to take the thing from them. */
export const UsedBy = t.Array(
  t.String('A definition in words, such as `the saved funnel "Shop"`.'),
  {
    description: 'All definitions that refer to it.',
  },
);

/** Makes an error answer whose body has only `error`. */
export const errorAnswer = (description: string, error: string): Answer =>
  answer(description, ErrorBody, { error });

/** Makes the 400 answer of most operations, with an example of an error message. */
export const badRequest = (error: string): Answer =>
  errorAnswer('A field is missing or invalid; `error` names it.', error);

/** Makes the 404 answer of an operation on one thing in a game. */
export const notFoundInGame = (thing: string): Answer =>
  errorAnswer(
    `The game has no such ${thing}, or the account is no member of the game.`,
    `${thing[0]!.toUpperCase()}${thing.slice(1)} not found`,
  );

/** Body of the 429 answer when a caller makes too many requests. */
export const RateLimitedBody = t.Object(
  {
    error: t.Literal('Too Many Requests'),
    statusCode: t.Literal(429),
    message: t.String('When to try again, in words.'),
  },
  { title: 'RateLimited' },
);

/** The error message if somebody asks for a link on an installation that sends links by mail. */
export const LINKS_ARE_MAILED = 'This installation sends mail: links are sent by mail only';

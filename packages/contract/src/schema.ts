import type {
  TNumberOptions,
  TObject,
  TOptional,
  TProperties,
  TSchema,
  TSchemaOptions,
  TStringOptions,
  Type as TypeBox,
} from 'typebox';
import { NAME_RULE } from './names.ts';

const optional = new WeakSet<object>();

function buildObject(properties: TProperties, options?: TSchemaOptions) {
  const required = Object.keys(properties).filter((name) => !optional.has(properties[name]!));
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options };
}

function markOptional(schema: TSchema) {
  const marked = { ...schema };
  optional.add(marked);
  return marked;
}

/**
 * Functions that build the same JSON Schemas as TypeBox, and have TypeBox's types. Loading TypeBox itself
 * would cost each process 0.1 s and 20 MB.
 */
const builders = {
  Array: (items: TSchema, options?: TSchemaOptions) => ({ type: 'array', items, ...options }),
  Boolean: (options?: TSchemaOptions) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly string[], options?: TSchemaOptions) => ({ enum: values, ...options }),
  Integer: (options?: TSchemaOptions) => ({ type: 'integer', ...options }),
  Literal: (value: string | number | boolean, options?: TSchemaOptions) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Null: (options?: TSchemaOptions) => ({ type: 'null', ...options }),
  Number: (options?: TSchemaOptions) => ({ type: 'number', ...options }),
  Object: buildObject,
  Optional: markOptional,
  String: (options?: TSchemaOptions) => ({ type: 'string', ...options }),
  Union: (anyOf: readonly TSchema[], options?: TSchemaOptions) => ({ anyOf, ...options }),
  Unknown: (options?: TSchemaOptions) => ({ ...options }),
  Unsafe: (schema: TSchema) => schema,
};
const Type = builders as unknown as Pick<typeof TypeBox, keyof typeof builders>;

/**
 * Builds schemas as TypeBox does. One thing differs: a function for a single value, such as `t.String`, gets
 * the value's description as its first argument.
 */
export const t = {
  Array: Type.Array,
  Literal: Type.Literal,
  Null: Type.Null,
  Object: Type.Object,
  Optional: Type.Optional,
  Union: Type.Union,
  Unknown: Type.Unknown,
  Unsafe: Type.Unsafe,

  Boolean: (description: string) => Type.Boolean({ description }),

  /** The body of a change: any of the members, and at least one. */
  Changes: <P extends TProperties>(properties: P) =>
    Type.Object(
      Object.fromEntries(
        Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]),
      ),
      { minProperties: 1 },
    ) as unknown as TObject<{ [K in keyof P]: TOptional<P[K]> }>,

  Enum: <const Values extends string[]>(
    values: readonly [...Values],
    description?: string,
    options?: TSchemaOptions,
  ) => Type.Enum(values, describe(description, options)),

  Integer: (description?: string, options?: TNumberOptions) =>
    Type.Integer(describe(description, options)),

  Number: (description?: string, options?: TNumberOptions) =>
    Type.Number(describe(description, options)),

  String: (description?: string, options?: TStringOptions) =>
    Type.String(describe(description, options)),

  /** A calendar day in the time zone of the game. */
  Day: (description: string) => Type.String({ format: 'date', description }),

  /** Any JSON object. Keys are ordinary data, `__proto__` too. */
  JsonObject: (description: string) => Type.Object({}, { additionalProperties: true, description }),

  /**
   * A name or id that something has: 1 to 255 characters of any kind. It is for answers, and for requests
   * that ask for what exists.
   */
  Name: (description: string) => Type.String({ minLength: 1, maxLength: 255, description }),

  /** A name that the request may give to something: 1 to 255 characters by the rule of `findNameProblem`. */
  NewName: (description: string, maxLength = 255) =>
    Type.String({
      minLength: 1,
      maxLength,
      format: 'name',
      description: `${description} It ${NAME_RULE}.`,
    }),

  /** The schema, or null. */
  Nullable: <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]),

  /** An object that has a name of its own in the API description. */
  Resource: <P extends TProperties>(title: string, properties: P) =>
    Type.Object(properties, { title }),

  /** A moment, as the API sends it: `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  Timestamp: (description: string) => Type.String({ format: 'date-time', description }),

  Uuid: (description: string) => Type.String({ format: 'uuid', description }),
};

function describe<Options extends TSchemaOptions>(
  description: string | undefined,
  options: Options = {} as Options,
): Options {
  return description === undefined ? options : { ...options, description };
}

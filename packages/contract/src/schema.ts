import { Type } from 'typebox';
import type { TNumberOptions, TProperties, TSchema, TSchemaOptions, TStringOptions } from 'typebox';

/** Builds schemas: as TypeBox does, but single values begin with their description. */
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

  /** A name or id chosen by the game: 1 to 255 characters of any kind. */
  Name: (description: string) => Type.String({ minLength: 1, maxLength: 255, description }),

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

import { DEFINITION_SCHEMAS } from '@overworld/contract/definitions/kinds';
import type { DefinitionKindName } from '@overworld/contract/definitions/kinds';

/** Makes the JSON Schema of a file: the members of the definition beside its key. */
export function fileSchemaOf(kind: DefinitionKindName) {
  const { key, definition } = DEFINITION_SCHEMAS[kind];
  const {
    required = [],
    properties,
    ...rest
  } = definition as {
    required?: string[];
    properties: object;
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: kind,
    ...rest,
    required: ['key', ...required],
    properties: { key, ...properties },
  };
}

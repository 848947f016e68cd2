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
    properties: Record<string, object>;
  };
  // The server fills in defaults before it checks what is required; an editor does not.
  const without_default = required.filter((name) => !('default' in properties[name]!));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: kind,
    ...rest,
    required: ['key', ...without_default],
    properties: { key, ...properties },
  };
}

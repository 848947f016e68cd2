import { html, NOTHING } from './html.ts';
import type { Html } from './html.ts';
import { toBlocks, toSpans } from './markdown.ts';
import { toField, toFields, toWords } from './schema.ts';
import type { Schema, Schemas } from './schema.ts';

type Content = Record<string, { schema?: Schema; example?: unknown }>;

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
}

interface Answer {
  $ref?: string;
  description: string;
  headers?: Record<string, { $ref?: string; description?: string; schema: Schema }>;
  content?: Content;
}

/** An operation as the description of the API has it. */
export interface DescribedOperation {
  operationId: string;
  tags: [string];
  summary: string;
  description?: string;
  security?: Record<string, unknown>[];
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Answer>;
}

export interface Components {
  schemas: Schemas;
  responses: Record<string, Answer>;
}

/** The name of a group in URLs, as the explorer forms it too. */
export const toSlug = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');

const code = (label: string, text: string) =>
  html`<pre tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>`;

const toJson = (value: unknown) => JSON.stringify(value, null, 2);

/** Writes the operation as a command that can be copied. */
function toCurl(
  method: string,
  path: string,
  operation: DescribedOperation,
  public_url: string,
): string {
  const schemes = operation.security?.[0] ?? {};
  const example = operation.requestBody?.content['application/json']?.example;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${public_url}${path}'`,
    ...('apiKey' in schemes ? ["-H 'x-game-api-key: YOUR_KEY'"] : []),
    ...('account' in schemes ? ["-H 'authorization: Bearer YOUR_TOKEN'"] : []),
    ...(example === undefined
      ? []
      : [
          "-H 'content-type: application/json'",
          `-d '${toJson(example).replaceAll("'", String.raw`'\''`)}'`,
        ]),
  ].join(' \\\n  ');
}

function toParameters(parameters: readonly Parameter[], schemas: Schemas): Html {
  if (parameters.length === 0) return NOTHING;
  const PLACES: Record<string, string> = {
    path: 'in the path, ',
    query: 'in the query, ',
    header: 'in a header, ',
  };
  const fields = parameters.map(({ name, in: place, required, description, schema }) =>
    toField(
      name,
      PLACES[place]! + (required ? 'needed, ' : ''),
      toWords(schema, schemas),
      description,
    ),
  );
  return html`<h3>Parameters</h3>
    <ul class="fields">
      ${fields}
    </ul>`;
}

function toAnswer(status: string, answer: Answer, { schemas, responses }: Components): Html {
  const {
    description,
    headers = {},
    content = {},
  } = answer.$ref ? responses[answer.$ref.slice(answer.$ref.lastIndexOf('/') + 1)]! : answer;
  const own = Object.entries(headers).filter(([, header]) => header.$ref === undefined);
  const types = Object.keys(content);
  const [first] = types;
  const { schema, example } = content[first ?? ''] ?? {};
  return html`<details>
    <summary><b>${status}</b> ${toSpans(description)}</summary>
    <div class="answer">
      ${
        types.length > 0 && types.join() !== 'application/json'
          ? html`<p>As ${types.join(' or ')}.</p>`
          : NOTHING
      }${
        own.length > 0
          ? html`<p>Headers:</p>
              <ul class="fields">
                ${own.map(([name, header]) =>
                  toField(name, '', toWords(header.schema, schemas), header.description),
                )}
              </ul>`
          : NOTHING
      }${schema ? toFields(schema, schemas) : NOTHING}${
        example === undefined
          ? NOTHING
          : code(`Example of ${status}`, typeof example === 'string' ? example : toJson(example))
      }
    </div>
  </details>`;
}

/** Describes an operation with all its parameters, its body and its answers. */
export function toSection(
  method: string,
  path: string,
  operation: DescribedOperation,
  components: Components,
  public_url: string,
): Html {
  const { operationId, summary, description = '', requestBody, responses } = operation;
  const body = requestBody?.content['application/json']?.schema;
  const explorer = `/docs/explorer#tag/${toSlug(operation.tags[0])}/${method}${path}`;
  return html`<section id="${operationId}" aria-labelledby="${operationId}-name">
    <h2 id="${operationId}-name"><a href="#${operationId}">${summary}</a></h2>
    <p class="route">
      <b class="method">${method}</b> <code>${path}</code>
      <a href="${explorer}" aria-label="Try: ${summary}">Try</a>
    </p>
    ${toBlocks(description)} ${toParameters(operation.parameters, components.schemas)}
    ${
      body
        ? html`<h3>Body</h3>
            ${toFields(body, components.schemas)}`
        : NOTHING
    }
    <h3>Example</h3>
    ${code(`Example of ${summary}`, toCurl(method, path, operation, public_url))}
    <h3>Answers</h3>
    ${Object.entries(responses).map(([status, answer]) => toAnswer(status, answer, components))}
  </section>`;
}

/** Describes a message that webhooks get. */
export function toMessage(type: string, message: DescribedOperation, components: Components): Html {
  const { operationId, summary, description = '', parameters, requestBody } = message;
  const { schema, example } = requestBody!.content['application/json']!;
  return html`<section id="${operationId}" aria-labelledby="${operationId}-name">
    <h2 id="${operationId}-name"><a href="#${operationId}">${summary}</a></h2>
    <p class="route"><b class="method">Message</b> <code>${type}</code></p>
    ${toBlocks(description)} ${toParameters(parameters, components.schemas)}
    <h3>Body</h3>
    ${toFields(schema!, components.schemas)}${code(`Example of ${type}`, toJson(example))}
  </section>`;
}

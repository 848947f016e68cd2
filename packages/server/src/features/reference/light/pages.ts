import { describeApi } from '@overworld/contract/openapi';
import { RELEASE } from '../../../platform/release.ts';
import { Html, html, NOTHING } from './html.ts';
import { toBlocks } from './markdown.ts';
import { toMessage, toSection, toSlug } from './operation.ts';
import type { Components, DescribedOperation } from './operation.ts';

interface Described {
  method: string;
  path: string;
  operation: DescribedOperation;
}

/** Writes the pages of the API reference: one with the list of all operations, and one for each group of them. */
export function createPages(public_url: string) {
  // Describing the API takes 15 ms, so the first visit does it instead of the start of the server.
  let described: ReturnType<typeof describe> | undefined;
  const read = () => (described ??= describe());
  return {
    writeIndex: () => writeIndex(read()),
    writeGroup: (slug: string) => writeGroup(read(), slug, public_url),
  };
}

interface Tag {
  name: string;
  description: string;
}

function describe() {
  const document = describeApi(RELEASE);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Described => ({
      method: method.toUpperCase(),
      path,
      operation: operation as unknown as DescribedOperation,
    })),
  );
  return {
    introduction: document.info.description as string,
    headings: document['x-tagGroups'] as unknown as { name: string; tags: string[] }[],
    tags: document.tags as unknown as Tag[],
    operations: Map.groupBy(operations, ({ operation }) => operation.tags[0]),
    messages: Object.entries(document.webhooks).map(
      ([type, { post }]) => [type, post as unknown as DescribedOperation] as const,
    ),
    components: document.components as unknown as Components,
  };
}

type Reference = ReturnType<typeof describe>;

const addressOf = (tag: string) => `/docs/${toSlug(tag)}`;

function writeIndex(reference: Reference): string {
  const { introduction, headings, tags, operations } = reference;
  const toGroup = ({ name, description }: Tag) =>
    html`<h3><a href="${addressOf(name)}">${name}</a></h3>
      <p>${description}</p>
      <ul class="calls">
        ${operations.get(name)!.map(
          ({ method, path, operation }) =>
            html`<li>
              <a href="${addressOf(name)}#${operation.operationId}">${operation.summary}</a>
              <code>${method} ${path}</code>
            </li>`,
        )}
      </ul>`;
  const content = html`<h1>Overworld API</h1>
    <p class="aside">
      Release ${RELEASE}. For tools: <a href="/v1/openapi.json">OpenAPI 3.1</a>. To try calls:
      <a href="/docs/explorer">the explorer</a>, 1.3 MB.
    </p>
    ${toBlocks(introduction)}
    ${headings.map(
      ({ name, tags: inside }) =>
        html`<h2>${name}</h2>
          ${inside.map((tag) => toGroup(tags.find((each) => each.name === tag)!))}`,
    )}`;
  return writePage(reference, 'Overworld API', null, content);
}

function writeGroup(reference: Reference, slug: string, public_url: string): string {
  const { tags, operations, messages, components } = reference;
  const { name, description } = tags.find((tag) => toSlug(tag.name) === slug)!;
  const own = name === 'Webhooks' ? messages : [];
  const content = html`<h1>${name}</h1>
    <p>${description}</p>
    <ul class="calls">
      ${[
        ...operations.get(name)!.map(
          ({ method, path, operation }) =>
            html`<li>
              <a href="#${operation.operationId}">${operation.summary}</a>
              <code>${method} ${path}</code>
            </li>`,
        ),
        ...own.map(
          ([type, { operationId, summary }]) =>
            html`<li><a href="#${operationId}">${summary}</a> <code>${type}</code></li>`,
        ),
      ]}
    </ul>
    ${operations
      .get(name)!
      .map(({ method, path, operation }) =>
        toSection(method, path, operation, components, public_url),
      )}
    ${own.map(([type, message]) => toMessage(type, message, components))}`;
  return writePage(reference, `${name} · Overworld API`, name, content);
}

function writePage(
  { headings }: Reference,
  title: string,
  open: string | null,
  content: Html,
): string {
  const here = (isHere: boolean) => (isHere ? new Html(' aria-current="page"') : NOTHING);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/docs/fonts.css" />
        <link rel="stylesheet" href="/docs/reference.css" />
      </head>
      <body>
        <nav aria-label="Reference">
          <a class="brand" href="/docs" ${here(open === null)}>Overworld API</a>${headings.map(
            ({ name, tags }) =>
              html`<div class="groups">
                <p>${name}</p>
                <ul>
                  ${tags.map(
                    (tag) =>
                      html`<li><a href="${addressOf(tag)}" ${here(tag === open)}>${tag}</a></li>`,
                  )}
                </ul>
              </div>`,
          )}
        </nav>
        <main>${content}</main>
      </body>
    </html> `.text;
}

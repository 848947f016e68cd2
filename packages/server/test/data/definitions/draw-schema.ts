import type { Draw } from './draw.ts';

/** Draws a schema of the language of event schemas. */
export function drawSchema(draw: Draw, depth = 0): Record<string, unknown> {
  const drawInner = () => drawSchema(draw, depth + 1);
  const scalar = draw.partOf({
    type: draw.oneOf<unknown>('string', 'number', ['integer', 'null']),
    minimum: draw.number(),
    maximum: draw.number(),
    minLength: draw.integer(0, 3),
    enum: [draw.text(), draw.number(), null, { a: [true] }],
  });
  if (depth >= 2 || draw.isChosen()) return scalar;
  return {
    type: 'object',
    properties: Object.fromEntries(draw.list(3, draw.name).map((name) => [name, drawInner()])),
    ...draw.partOf({
      required: draw.list(2, draw.name),
      additionalProperties: draw.oneOf<unknown>(true, false, drawInner()),
      items: drawInner(),
    }),
  };
}

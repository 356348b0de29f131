/** Extracts the calls that send messages from the installation's OpenAPI schema. */

type Node = Record<string, unknown>;

// The schema documents the form with files at the address without the slash.
const CALLS = ['/api/messages/send/', '/api/messages/send'];
const SCHEMAS = '#/components/schemas/';
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** The names of all schemas that a part refers to, directly or indirectly. */
function namesIn(part: unknown, schemas: Node, found = new Set<string>()): Set<string> {
  if (!isNode(part)) return found;
  const { $ref: reference } = part;
  if (typeof reference === 'string' && reference.startsWith(SCHEMAS)) {
    const name = reference.slice(SCHEMAS.length);
    if (!found.has(name)) namesIn(schemas[name], schemas, found.add(name));
  }
  for (const value of Object.values(part)) namesIn(value, schemas, found);
  return found;
}

/**
 * A schema with the sending calls alone, which Postman imports as a collection. It declares the
 * token as bearer authentication, because importers ignore an 'Authorization' header parameter.
 * Throws if one is missing.
 */
export function messagesSchema(schema: Node, origin: string): Node {
  const paths = schema.paths as Node;
  const schemas = (schema.components as { schemas: Node }).schemas;
  const calls = CALLS.map((path) => {
    const call = paths[path] as { post: Node } | undefined;
    if (!call) throw new Error(`The schema has no ${path}`);
    const parameters = (call.post.parameters as { name: string }[]).filter(
      ({ name }) => name !== 'Authorization',
    );
    return [path, { post: { ...call.post, parameters, security: [{ connectionToken: [] }] } }];
  });
  const names = [...namesIn(calls, schemas)].sort();
  return {
    openapi: schema.openapi,
    info: schema.info,
    servers: [{ url: origin }],
    paths: Object.fromEntries(calls) as Node,
    components: {
      schemas: Object.fromEntries(names.map((name) => [name, schemas[name]])),
      securitySchemes: { connectionToken: { type: 'http', scheme: 'bearer' } },
    },
  };
}

import {
  endpoints,
  errorKinds,
  parseFile,
  streamChat,
  streamThreadChat,
  uploadAndEmbed,
  uploadDeveloperDocument,
  uploadDeveloperDocumentToFolder,
  uploadDeveloperLink,
  uploadDeveloperText,
  uploadDocument,
  type Endpoint,
} from "@carrel/contracts";
import { replyTo } from "../http/error-map.ts";
import { version } from "../version.ts";
import { buildBody, buildSuccess, readFields } from "./bodies.ts";
import { contentTypes } from "./content-types.ts";
import { exampleOf } from "./example-of.ts";
import { nameSchemas, refer, type Schema } from "./named-schemas.ts";
import { nameOperation, tagOperation, tags } from "./operation-names.ts";

const exampleId = "5f0a5cbe-3f0b-4f0e-9d4a-2b7c1d9e6a10";

/** Shape of a failure unless stated otherwise. */
const anyContent = {
  "application/json": { schema: refer("Failure") },
  "text/plain": { schema: { type: "string" } },
};
const anyFailure = {
  description: "Any other failure; see the status",
  content: anyContent,
};

const listGuardKinds = ({ access: { who, mode } }: Endpoint): string[] => [
  ...(who === "public"
    ? []
    : [who === "key" || who === "extension" ? "KEY_REFUSED" : "UNAUTHENTICATED"]),
  ...(who === "key" ? ["KEY_FORBIDDEN"] : []),
  ...(who === "manager" || who === "admin" || mode !== undefined ? ["FORBIDDEN"] : []),
];

/** Kinds of error described by the contract, plus those every route of its kind can return. */
function buildFailures(endpoint: Endpoint): Schema {
  const kinds = new Set<string>([
    ...Object.keys(endpoint.errors),
    "BAD_INPUT",
    ...listGuardKinds(endpoint),
    ...(endpoint.access.workspace === true ? ["WORKSPACE_NOT_FOUND"] : []),
  ]);
  const responses: Record<string, Schema> = {};
  for (const kind of errorKinds) {
    if (!kinds.has(kind)) continue;
    const failure = replyTo(kind, "Why it failed.", endpoint, exampleId);
    const status = String(failure.status);
    if (status === String(endpoint.success.status)) continue;
    // Two kinds may share a status but differ in their body.
    const known = responses[status] ?? { description: kind };
    const content =
      failure.kind === "empty"
        ? {}
        : {
            [contentTypes[failure.kind]]: {
              schema: failure.kind === "json" ? refer("Failure") : { type: "string" },
              example: failure.body,
            },
          };
    responses[status] = {
      description: known.description === kind ? kind : `${String(known.description)}, ${kind}`,
      content: { ...anyContent, ...(known.content as Schema | undefined), ...content },
    };
  }
  return responses;
}

/** Read by routes that do something once (`requestKey`). */
const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,200}$" },
  description: "Sent again with the same key and content within a day, the request is done once.",
};
/** Routes handled by the gateway that ask a service to add something once. */
const addsOnce = new Set<string>([
  uploadDocument.name,
  uploadAndEmbed.name,
  uploadDeveloperDocument.name,
  uploadDeveloperDocumentToFolder.name,
  uploadDeveloperLink.name,
  uploadDeveloperText.name,
  parseFile.name,
  streamChat.name,
  streamThreadChat.name,
]);
const takesIdempotencyKey = ({ operation }: Endpoint): boolean =>
  addsOnce.has(operation.name) ||
  (operation.mount === "generic" && operation.idempotency === "keyed");
const securitySchemes = {
  developerKey: {
    type: "http",
    scheme: "bearer",
    description:
      "Key from Settings > API keys with the scope that the route names. `admin` (full access) includes all scopes, and each includes `read`.",
  },
  session: {
    type: "http",
    scheme: "bearer",
    description:
      "Session token of POST /api/request-token; not needed while the instance has no password.",
  },
  extensionKey: { type: "http", scheme: "bearer", description: "Browser-extension key." },
};
function buildSecurity({ access }: Endpoint): Schema {
  if (access.who === "public") return { security: [] };
  if (access.who === "key") return { security: [{ developerKey: [access.scope] }] };
  return access.who === "extension" ? { security: [{ extensionKey: [] }] } : {};
}
/** Describes who may call a route if a valid credential is not enough. */
function buildDescription({ access }: Endpoint): Schema {
  const { who, mode } = access;
  const rules = [
    who === "key" ? `Needs a key with the scope \`${access.scope}\`.` : "",
    who === "admin" ? "Role admin." : who === "manager" ? "Role manager or admin." : "",
    mode === undefined ? "" : `Only in ${mode === "multi" ? "multi-user" : "single-user"} mode.`,
  ].filter(Boolean);
  return rules.length === 0 ? {} : { description: rules.join(" ") };
}

function buildOperation(endpoint: Endpoint): Schema {
  const fields = readFields(endpoint);
  const inQuery = endpoint.method === "GET";
  return {
    operationId: nameOperation(endpoint),
    summary: endpoint.summary,
    tags: [tagOperation(endpoint)],
    ...buildDescription(endpoint),
    ...buildSecurity(endpoint),
    parameters: [
      ...fields.inPath.map(([name, schema]) => ({
        name,
        in: "path",
        required: true,
        schema,
        example: exampleOf(schema, name),
      })),
      // Optional parameters lose their examples, because the docs page would send them.
      ...(inQuery ? fields.further : []).map(([name, schema]) => ({
        name,
        in: "query",
        required: fields.required.has(name),
        schema,
        ...(fields.required.has(name) ? { example: exampleOf(schema, name) } : {}),
      })),
      ...(takesIdempotencyKey(endpoint) ? [idempotencyKey] : []),
    ],
    ...(inQuery ? {} : buildBody(endpoint, fields)),
    responses: {
      [endpoint.success.status]: buildSuccess(endpoint),
      ...buildFailures(endpoint),
      default: anyFailure,
    },
  };
}

/**
 * OpenAPI 3.1 document of all mounted routes, built from the contracts alone; committed as
 * docs/openapi.json.
 */
export function buildOpenApi(): Schema {
  const built: Record<string, Record<string, Schema>> = {};
  for (const endpoint of endpoints.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `/api${endpoint.path.replace(/:(\w+)/g, "{$1}")}`;
    built[path] = {
      ...built[path],
      [endpoint.method.toLowerCase()]: buildOperation(endpoint),
    };
  }
  const { paths, schemas } = nameSchemas(
    Object.fromEntries(Object.entries(built).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Carrel",
      version,
      description:
        "The HTTP API of a Carrel instance. Programs use the developer API (`/api/v1`) with a key from Settings > API keys; the other routes are the app's own.",
    },
    servers: [{ url: "/" }],
    security: [{ session: [] }],
    tags,
    components: { securitySchemes, schemas },
    paths,
  };
}

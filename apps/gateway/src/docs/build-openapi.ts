import {
  endpoints,
  errorKinds,
  mcpScopes,
  parseFile,
  streamChat,
  streamThreadChat,
  updateSettings,
  uploadAndEmbed,
  uploadDeveloperDocument,
  uploadDeveloperDocumentToFolder,
  uploadDeveloperLink,
  uploadDeveloperText,
  uploadDocument,
  uploadLogo,
  uploadProfilePicture,
  type Endpoint,
} from "@carrel/contracts";
import { version } from "@carrel/runtime";
import { replyTo } from "../http/error-map.ts";
import { exampleOf } from "./example-of.ts";
import { exampleReply, exampleRequest, exampleStream, exampleText } from "./examples.ts";
import { nameSchemas, refer, toSchema, type Schema } from "./named-schemas.ts";
import { isDeveloperApi, nameOperation, tagOperation, tags } from "./operation-names.ts";

/** Content types of replies, by kind. */
const contentTypes = {
  json: "application/json",
  text: "text/plain",
  sse: "text/event-stream",
  bytes: "application/octet-stream",
  empty: null,
} as const;

/** Fields of multipart bodies that are not in the contract. */
const file = { type: "string", format: "binary" };
const metadata = {
  type: "string",
  description:
    "JSON object with title, docAuthor, description, docSource, chunkSource and url, all optional",
};
const addToWorkspaces = {
  type: "string",
  description: "Comma-separated slugs of workspaces to add the document to",
};
const picturePart = {
  type: "string",
  format: "binary",
  description: "JPEG, PNG, WebP, GIF or AVIF, at most 10 MB",
};
const withFile = (properties: Record<string, Schema>): Schema => ({
  type: "object",
  properties: { file, ...properties },
  required: ["file"],
});
const multipart = new Map<string, Schema>([
  [uploadDocument.name, withFile({ folderName: { type: "string" }, metadata })],
  [uploadAndEmbed.name, withFile({ folderName: { type: "string" }, metadata })],
  [uploadDeveloperDocument.name, withFile({ metadata, addToWorkspaces })],
  [uploadDeveloperDocumentToFolder.name, withFile({ metadata, addToWorkspaces })],
  [parseFile.name, withFile({ threadSlug: { type: "string" } })],
  [uploadProfilePicture.name, withFile({ file: picturePart })],
  [uploadLogo.name, { type: "object", properties: { logo: picturePart }, required: ["logo"] }],
]);

/** Fields the gateway sets regardless of what the client sends. */
const ownFields = new Set(["address", "userAgent", "device"]);

interface Fields {
  inPath: [string, Schema][];
  /** Sent in the query of a GET, otherwise in the body. */
  further: [string, Schema][];
  required: ReadonlySet<string>;
}

/** The input's fields by where a client sends them. */
function readFields(endpoint: Endpoint): Fields {
  const input = toSchema(endpoint.input, "input") as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  return {
    inPath: names.map((name) => [name, input.properties?.[name] ?? { type: "string" }]),
    further: Object.entries(input.properties ?? {}).filter(
      ([name]) => !names.includes(name) && !ownFields.has(name),
    ),
    required: new Set(input.required),
  };
}

/** The schema of a body that consists of a single input field. */
function wholeBody(endpoint: Endpoint, { further }: Fields): Schema {
  const [, schema = {}] = further.find(([name]) => name === endpoint.bodyField) ?? [];
  if (endpoint.operation.name === updateSettings.name)
    return { type: "object", additionalProperties: { type: ["string", "null"] } };
  const options = (schema.anyOf as Schema[] | undefined) ?? [schema];
  return options.find(({ type }) => type === "object") ?? { type: "object" };
}

/** The schema of a JSON body, or null if the route takes none. */
function describeBody(endpoint: Endpoint, fields: Fields): Schema | null {
  if (endpoint.bodyField !== undefined) return wholeBody(endpoint, fields);
  if (fields.further.length === 0) return null;
  const needed = fields.further.map(([name]) => name).filter((name) => fields.required.has(name));
  return {
    type: "object",
    properties: Object.fromEntries(fields.further),
    ...(needed.length > 0 ? { required: needed } : {}),
  };
}

function buildBody(endpoint: Endpoint, fields: Fields): Schema {
  const parts = multipart.get(endpoint.name);
  if (parts !== undefined)
    return {
      requestBody: { required: true, content: { "multipart/form-data": { schema: parts } } },
    };
  const schema = describeBody(endpoint, fields);
  if (schema === null) return {};
  return {
    requestBody: {
      required: endpoint.bodyField !== undefined || schema.required !== undefined,
      content: { "application/json": { schema, example: exampleRequest(endpoint.name, schema) } },
    },
  };
}

const succeed = (type: string, schema: Schema, example?: unknown): Schema => ({
  description: "Done",
  content: { [type]: { schema, ...(example === undefined ? {} : { example }) } },
});

function buildSuccess(endpoint: Endpoint): Schema {
  const { kind } = endpoint.success;
  const type = contentTypes[kind];
  if (type === null) return { description: "Done" };
  if (kind === "json") {
    const schema = toSchema(endpoint.output, "output");
    return succeed(type, schema, exampleReply(endpoint.name, schema));
  }
  if (kind === "bytes") return succeed(type, { type: "string", format: "binary" });
  if (kind === "text") return succeed(type, { type: "string" }, exampleText(endpoint.name));
  return isDeveloperApi(endpoint)
    ? {
        ...succeed(type, refer("StreamFrame"), exampleStream(endpoint.name)),
        description: "Event stream; the data of each event is a frame",
      }
    : {
        ...succeed(type, { type: "string" }, exampleStream(endpoint.name)),
        description: "Event stream",
      };
}

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
  accessToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "Access token of the OpenID provider for this address, if the instance accepts them (CARREL_MCP_OAUTH).",
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
  if (access.who === "key") {
    const accessToken = { accessToken: [mcpScopes.read] };
    return {
      security: [
        { developerKey: [access.scope] },
        ...(access.accessTokens === true ? [accessToken] : []),
      ],
    };
  }
  return access.who === "extension" ? { security: [{ extensionKey: [] }] } : {};
}
/** Describes who may call a route if a valid credential is not enough. */
function buildDescription({ access }: Endpoint): Schema {
  const { who, mode } = access;
  const rules = [
    who === "key"
      ? `Needs a key with the scope \`${access.scope}\`${access.accessTokens === true ? ", or an access token" : ""}.`
      : "",
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

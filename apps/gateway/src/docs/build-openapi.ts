import {
  errorKinds,
  endpoints,
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
import { z } from "zod";
import { replyTo } from "../http/error-map.ts";

type Schema = Record<string, unknown>;
const contentTypes = {
  json: "application/json",
  text: "text/plain",
  sse: "text/event-stream",
  bytes: "application/octet-stream",
  empty: null,
} as const;
const exampleId = "5f0a5cbe-3f0b-4f0e-9d4a-2b7c1d9e6a10";
/** Fields of multipart bodies that are not in the contract. */
const documentParts = {
  file: { type: "string", format: "binary" },
  folderName: { type: "string" },
  metadata: { type: "string", description: "JSON object" },
};
/** Read by routes that do something once (`requestKey`). */
const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,200}$" },
  description: "Sent again with the same key within a day, the request is done once.",
};
/** Routes with a method of the gateway that ask a service to add something once. */
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
const picturePart = {
  type: "string",
  format: "binary",
  description: "JPEG, PNG, WebP, GIF or AVIF, at most 10 MB",
};
const multipart = new Map<string, { properties: Record<string, Schema>; required: string[] }>([
  [uploadDocument.name, { properties: documentParts, required: ["file"] }],
  [uploadAndEmbed.name, { properties: documentParts, required: ["file"] }],
  [uploadProfilePicture.name, { properties: { file: picturePart }, required: ["file"] }],
  [uploadLogo.name, { properties: { logo: picturePart }, required: ["logo"] }],
]);
/** Fields the gateway sets regardless of what the client sends. */
const ownFields = new Set(["address", "userAgent", "device"]);
const securitySchemes = {
  session: {
    type: "http",
    scheme: "bearer",
    description:
      "Session token of POST /api/request-token; not needed while the instance has no password.",
  },
  developerKey: {
    type: "http",
    scheme: "bearer",
    description:
      "Developer API key with the scope that the route names; `admin` includes all, and each includes `read`.",
  },
  extensionKey: { type: "http", scheme: "bearer", description: "Browser-extension key." },
};
function buildSecurity({ access }: Endpoint): Schema {
  if (access.who === "public") return { security: [] };
  if (access.who === "key") return { security: [{ developerKey: [access.scope] }] };
  return access.who === "extension" ? { security: [{ extensionKey: [] }] } : {};
}
/** Describes who may call a route if a valid credential is not enough. */
function buildDescription({ access: { who, mode } }: Endpoint): Schema {
  const rules = [
    who === "admin" ? "Role admin." : who === "manager" ? "Role manager or admin." : "",
    mode === undefined ? "" : `Only in ${mode === "multi" ? "multi-user" : "single-user"} mode.`,
  ].filter(Boolean);
  return rules.length === 0 ? {} : { description: rules.join(" ") };
}

function toSchema(type: z.ZodType, io: "input" | "output"): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io,
    unrepresentable: "any",
    target: "draft-2020-12",
  }) as Schema;
  return schema;
}

function buildOperation(endpoint: Endpoint): Schema {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  const input = toSchema(endpoint.input, "input") as {
    properties?: Record<string, Schema>;
    required?: string[];
    type?: string;
  };
  const fields = Object.entries(input.properties ?? {}).filter(
    ([name]) => !names.includes(name) && !ownFields.has(name),
  );
  const required = input.required ?? [];
  const inQuery = endpoint.method === "GET";
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    tags: [endpoint.name.split(".")[1]],
    ...buildDescription(endpoint),
    ...buildSecurity(endpoint),
    parameters: [
      ...names.map((name) => ({
        name,
        in: "path",
        required: true,
        schema: input.properties?.[name] ?? { type: "string" },
      })),
      ...(inQuery
        ? fields.map(([name, schema]) => ({
            name,
            in: "query",
            required: required.includes(name),
            schema,
          }))
        : []),
      ...(takesIdempotencyKey(endpoint) ? [idempotencyKey] : []),
    ],
    ...(inQuery ? {} : buildBody(endpoint, fields, required)),
    responses: {
      [endpoint.success.status]: buildSuccess(endpoint),
      ...buildFailures(endpoint),
      default: anyFailure,
    },
  };
}

function buildBody(endpoint: Endpoint, fields: [string, Schema][], required: string[]): Schema {
  const parts = multipart.get(endpoint.name);
  if (parts !== undefined)
    return {
      requestBody: {
        required: true,
        content: { "multipart/form-data": { schema: { type: "object", ...parts } } },
      },
    };
  if (endpoint.bodyField !== undefined)
    return {
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: {
              type: "object",
              additionalProperties:
                endpoint.name === updateSettings.name ? { type: ["string", "null"] } : true,
            },
          },
        },
      },
    };
  if (fields.length === 0) return {};
  const properties = Object.fromEntries(fields);
  const needed = required.filter((name) => name in properties);
  return {
    requestBody: {
      required: needed.length > 0,
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties,
            ...(needed.length > 0 ? { required: needed } : {}),
          },
        },
      },
    },
  };
}

function buildSuccess(endpoint: Endpoint): Schema {
  const { kind } = endpoint.success;
  const type = contentTypes[kind];
  if (type === null) return { description: "Done" };
  return {
    description: kind === "sse" ? "Event stream" : "Done",
    content: {
      [type]: {
        schema: kind === "json" ? toSchema(endpoint.output, "output") : { type: "string" },
      },
    },
  };
}

/** Shape of a failure unless stated otherwise. */
const anyFailure = {
  description: "Any other failure; see the status",
  content: {
    "application/json": { schema: { type: "object", properties: { error: { type: "string" } } } },
    "text/plain": { schema: { type: "string" } },
  },
};

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
      failure.kind === "empty" ? {} : { [contentTypes[failure.kind]]: { example: failure.body } };
    responses[status] = {
      description: known.description === kind ? kind : `${String(known.description)}, ${kind}`,
      content: { ...anyFailure.content, ...(known.content as Schema | undefined), ...content },
    };
  }
  return responses;
}

const listGuardKinds = ({ access: { who, mode } }: Endpoint): string[] => [
  ...(who === "public"
    ? []
    : [who === "key" || who === "extension" ? "KEY_REFUSED" : "UNAUTHENTICATED"]),
  ...(who === "key" ? ["KEY_FORBIDDEN"] : []),
  ...(who === "manager" || who === "admin" || mode !== undefined ? ["FORBIDDEN"] : []),
];

/**
 * OpenAPI 3.1 document of all mounted routes, built from the contracts alone; committed as
 * docs/openapi.json.
 */
export function buildOpenApi(): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const endpoint of endpoints.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `/api${endpoint.path.replace(/:(\w+)/g, "{$1}")}`;
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: buildOperation(endpoint),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Carrel",
      version: "0.1.0",
      description:
        "The HTTP API of a Carrel instance. Generated from the contracts in libs/contracts.",
    },
    servers: [{ url: "/" }],
    security: [{ session: [] }],
    components: { securitySchemes },
    paths: Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

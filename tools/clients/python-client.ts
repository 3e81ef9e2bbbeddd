// The Python client's methods, one for each operation, in a blocking and in an async class.
import {
  isStream,
  readDeveloperApi,
  readReply,
  type ApiOperation,
  type JsonSchema,
} from "./developer-api.ts";
import { PythonTypes, toPascalCase, toSnakeCase } from "./python-types.ts";

interface Argument {
  /** Name on the wire. */
  key: string;
  name: string;
  type: string;
  required: boolean;
}
interface Method {
  name: string;
  method: string;
  path: string;
  docs: string[];
  inPath: Argument[];
  query: Argument[];
  headers: Argument[];
  body: Argument[];
  bodyKind: "json" | "whole" | "form" | null;
  /** How the reply is read, and its type. */
  reply: { kind: "json" | "text" | "bytes" | "stream"; type: string };
}

const replyKinds: Record<string, Method["reply"]["kind"]> = {
  "application/json": "json",
  "text/plain": "text",
  "application/octet-stream": "bytes",
  "text/event-stream": "stream",
};

function describe(path: string, verb: string, operation: ApiOperation, types: PythonTypes): Method {
  const place = toPascalCase(operation.operationId);
  const argument = (key: string, schema: JsonSchema, required: boolean): Argument => ({
    key,
    name: toSnakeCase(key),
    type:
      schema.format === "binary" ? "FileContent" : types.write(schema, place + toPascalCase(key)),
    required,
  });
  const given = (where: string): Argument[] =>
    operation.parameters
      .filter((parameter) => parameter.in === where)
      .map(({ name, schema, required }) => argument(name, schema, required));
  const [content] = Object.entries(operation.requestBody?.content ?? {});
  const schema = content?.[1].schema ?? {};
  const isForm = content?.[0] === "multipart/form-data";
  const isWhole = content !== undefined && schema.properties === undefined;
  const [contentType, reply] = readReply(operation)!;
  const kind = replyKinds[contentType]!;
  return {
    name: toSnakeCase(operation.operationId),
    method: verb.toUpperCase(),
    path,
    docs: [`${operation.summary}.`, ...(operation.description ? [operation.description] : [])],
    inPath: given("path"),
    query: given("query"),
    headers: given("header"),
    body: isWhole
      ? [{ key: "body", name: "body", type: types.write(schema, `${place}Body`), required: true }]
      : Object.entries(schema.properties ?? {}).map(([key, field]) =>
          argument(key, field, schema.required?.includes(key) ?? false),
        ),
    bodyKind: content === undefined ? null : isWhole ? "whole" : isForm ? "form" : "json",
    reply: {
      kind,
      type:
        kind === "text"
          ? "str"
          : kind === "bytes"
            ? "bytes"
            : types.write(reply, isStream(operation) ? "StreamFrame" : `${place}Reply`),
    },
  };
}

/** Aliases of unions may not refer to classes by the module's name, so types are imported. */
function signature(method: Method): string[] {
  const named = [...method.body, ...method.query, ...method.headers].toSorted(
    (a, b) => Number(b.required) - Number(a.required),
  );
  return [
    "self",
    ...method.inPath.map(({ name, type }) => `${name}: ${type}`),
    ...(named.length > 0 ? ["*"] : []),
    ...named.map(({ name, type, required }) =>
      required ? `${name}: ${type}` : `${name}: ${type} | NotGiven = NOT_GIVEN`,
    ),
  ];
}

function call(method: Method): string[] {
  const path = method.path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => `{segment(${toSnakeCase(name)})}`,
  );
  const map = (given: Argument[]): string =>
    `{${given.map(({ key, name }) => `"${key}": ${name}`).join(", ")}}`;
  const files = method.body.filter(({ type }) => type === "FileContent");
  const fields = method.body.filter(({ type }) => type !== "FileContent");
  return [
    `"${method.method}"`,
    path === method.path ? `"${path}"` : `f"${path}"`,
    ...(method.query.length > 0 ? [`query=${map(method.query)}`] : []),
    ...(method.headers.length > 0 ? [`headers=${map(method.headers)}`] : []),
    ...(method.bodyKind === "json" ? [`json=${map(method.body)}`] : []),
    ...(method.bodyKind === "whole" ? ["json=body"] : []),
    ...(method.bodyKind === "form" ? [`files=${map(files)}`, `form=${map(fields)}`] : []),
  ];
}

function print(method: Method, isAsync: boolean): string {
  const { kind, type } = method.reply;
  const isIterator = kind === "stream";
  const result = isIterator ? `${isAsync ? "AsyncIterator" : "Iterator"}[${type}]` : type;
  const start = isAsync && !isIterator ? "async def" : "def";
  const request = `${isAsync && !isIterator ? "await " : ""}self._${isIterator ? "stream" : `request_${kind}`}`;
  const list = (items: string[], indent: string): string =>
    items.map((item) => `${indent}${item},\n`).join("");
  return [
    `    ${start} ${method.name}(\n${list(signature(method), "        ")}    ) -> ${result}:\n`,
    `        """${method.docs.join("\n\n        ")}"""\n`,
    kind === "json"
      ? `        return cast(\n            ${quote(type)},\n            ${request}(\n${list(call(method), "                ")}            ),\n        )\n`
      : `        return ${request}(\n${list(call(method), "            ")}        )\n`,
  ].join("");
}

/** cast() takes a type that is only imported for annotations as text. */
const quote = (type: string): string => `"${type.replaceAll('"', "'")}"`;

function printClass(name: string, base: string, methods: Method[], isAsync: boolean): string {
  return `class ${name}(${base}):\n${methods.map((method) => print(method, isAsync)).join("\n")}`;
}

/** The generated modules by file name. */
export function buildPythonClient(): Record<string, string> {
  const api = readDeveloperApi();
  const types = new PythonTypes();
  for (const [name, schema] of Object.entries(api.components.schemas))
    if (name !== "Failure") types.define(name, schema);
  const methods = Object.entries(api.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => describe(path, verb, operation, types)),
  );
  const body = [
    printClass("Methods", "Transport", methods, false),
    printClass("AsyncMethods", "AsyncTransport", methods, true),
  ].join("\n\n");
  const module = types.print();
  const defined = [...module.matchAll(/^(?:class )?([A-Z]\w+)(?=[:( ])/gm)].map(
    (match) => match[1]!,
  );
  const used = defined.filter((name) => new RegExp(`\\b${name}\\b`).test(body)).toSorted();
  const header = [
    "# Generated from docs/openapi.json by `./carrel clients`.",
    "from __future__ import annotations",
    "",
    "from collections.abc import AsyncIterator, Iterator",
    "from typing import Any, Literal, cast",
    "",
    "from ._transport import (",
    ...["NOT_GIVEN", "AsyncTransport", "FileContent", "NotGiven", "Transport", "segment"].map(
      (name) => `    ${name},`,
    ),
    ")",
    "from .types import (",
    ...used.map((name) => `    ${name},`),
    ")",
    "",
    "",
    "",
  ].join("\n");
  return { "types.py": module, "_methods.py": header + body };
}

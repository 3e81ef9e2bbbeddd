import type { Endpoint } from "@carrel/contracts";

interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  minLength?: number;
  minimum?: number;
}

interface Request {
  what: string;
  path: string;
  body?: string;
  /** Default: JSON. */
  type?: string;
}

const nest = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
/** Values as JSON text: wrong types, and what databases, parsers and patterns stumble over. */
const values: Record<string, string> = {
  null: "null",
  true: "true",
  "an object": "{}",
  "an array": "[]",
  "an array of arrays": "[[],[[]],{}]",
  "an empty text": '""',
  "a NUL": '"a\\u0000b"',
  "half a surrogate pair": '"\\ud800"',
  "a long text": `"${"x".repeat(20_000)}"`,
  "control characters": '"\\u0001\\u202e\\ufffe\\r\\n"',
  "a path": '"../../etc/passwd"',
  "a negative number": "-1",
  "a fraction": "0.5",
  "the smallest fraction": "5e-324",
  "a text instead of a number": '"NaN"',
  "a huge number": "1e308",
  "an infinite number": "1e400",
  "a number beyond a column": "99999999999",
  "a number beyond doubles": "9".repeat(400),
  "a date beyond the calendar": '"+999999-01-01T00:00:00Z"',
  "the other kind of id": '"00000000-0000-4000-8000-000000000000"',
  "deep nesting": nest(90),
  "deeper nesting": nest(5_000),
  "prototype keys": '{"__proto__":{"a":1},"constructor":{"prototype":1},"toString":1}',
};
const paramValues: Record<string, string> = {
  "a NUL": "%00",
  "a broken escape": "%zz",
  "a broken character": "%C3%28",
  "half a surrogate pair": "%ED%A0%80",
  "a long id": "9".repeat(400),
  "a long text": "x".repeat(5_000),
  "a negative number": "-1",
  "a huge number": "1e308",
  "a number beyond a column": "99999999999",
  "a path": "..%2F..%2Fetc%2Fpasswd",
  "an emoji": "%F0%9F%98%80",
  "the other kind of id": "00000000-0000-4000-8000-000000000000",
  "a token": "AAAA.BBBB.CCCC",
  "a quote": "'%22%3B--",
};
const queryValues: Record<string, string> = {
  ...paramValues,
  nothing: "",
  "a repeated field": "a&FIELD=b",
  "an infinite number": "Infinity",
};

/** A value that the schema usually accepts, so that the other fields are checked. */
function makeValid(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0] ?? schema.allOf?.[0];
  if (choice) return makeValid(choice);
  switch ([schema.type].flat()[0]) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name))
          .map(([name, field]) => [name, makeValid(field)]),
      );
    case "array":
      return schema.items ? [makeValid(schema.items)] : [];
    case "integer":
    case "number":
      return Math.max(1, schema.minimum ?? 1);
    case "boolean":
      return false;
    case "string":
      return "x".repeat(Math.max(1, schema.minLength ?? 1));
    default:
      return "x";
  }
}

const accepts = ({ input, bodyField }: Endpoint, fields: object): boolean =>
  bodyField !== undefined || input.safeParse(fields).success;

/** Why the contract rejects a body, whatever else is in it; null if it accepts the body. */
function fateOf(endpoint: Endpoint, text: string, params: object): string | null {
  const body = JSON.parse(text) as unknown;
  if (text === values["deeper nesting"] || endpoint.bodyField !== undefined) return null;
  if (typeof body !== "object" || Array.isArray(body)) return "not an object";
  return accepts(endpoint, { ...body, ...params }) ? null : "not what the contract describes";
}

/**
 * Requests of an endpoint, each with one parameter, query field or body field malformed and the
 * others valid where possible. Of the values that the contract refuses, only the first of each field
 * is sent, and of the bodies the first of each kind, because they never get further than its schema.
 */
export function* malformedRequests(
  endpoint: Endpoint,
  valid: Record<string, string>,
): Generator<Request> {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  const params = Object.fromEntries(names.map((name) => [name, valid[name] ?? "1"]));
  const fill = (changes: Record<string, string> = {}): string =>
    names.reduce(
      (path, name) => path.replace(`:${name}`, () => changes[name] ?? params[name]!),
      endpoint.path,
    );
  for (const name of names)
    for (const [what, value] of Object.entries(paramValues))
      yield { what: `${what} as ${name}`, path: fill({ [name]: value }) };

  const schema = endpoint.input.toJSONSchema({ io: "input", unrepresentable: "any" });
  const { properties = {}, required = [] } = schema as JsonSchema;
  const fields = Object.keys(properties).filter((name) => !names.includes(name));
  const others = Object.fromEntries(
    fields
      .filter((name) => required.includes(name))
      .map((name) => [name, makeValid(properties[name]!)]),
  );
  if (endpoint.method === "GET") {
    for (const name of fields)
      for (const [what, value] of Object.entries(queryValues))
        yield {
          what: `${what} as ${name}`,
          path: `${fill()}?${name}=${value.replace("FIELD", name)}`,
        };
    return;
  }

  for (const name of fields) {
    let refused = 0;
    const isList = JSON.stringify(properties[name]).includes('"array"');
    for (const [what, value] of Object.entries(values))
      for (const [written, text] of [
        [what, value],
        ...(isList ? [[`a list of ${what}`, `[${value}]`]] : []),
      ] as [string, string][]) {
        const isAccepted = accepts(endpoint, {
          ...params,
          ...others,
          [name]: JSON.parse(text) as unknown,
        });
        if (!isAccepted && refused++ > 0) continue;
        const rest = Object.entries({ ...others, [name]: undefined })
          .filter(([, other]) => other !== undefined)
          .map(([key, other]) => `${JSON.stringify(key)}:${JSON.stringify(other)}`);
        yield {
          what: `${written} as ${name}`,
          path: fill(),
          body: `{${[...rest, `${JSON.stringify(name)}:${text}`].join()}}`,
        };
      }
  }
  yield { what: "no body", path: fill() };
  yield { what: "broken JSON as the body", path: fill(), body: '{"a":' };
  const seen = new Set<string>();
  for (const [what, value] of Object.entries(values)) {
    const fate = fateOf(endpoint, value, params) ?? what;
    if (seen.has(fate)) continue;
    seen.add(fate);
    yield { what: `${what} as the body`, path: fill(), body: value };
  }
  yield {
    what: "a multipart body that breaks off",
    path: fill(),
    type: "multipart/form-data; boundary=x",
    body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a\0.txt"\r\n\r\nabc',
  };
  yield {
    what: "a multipart body without a boundary",
    path: fill(),
    type: "multipart/form-data",
    body: "--x",
  };
}

import { clipText, type FormQuestion } from "@carrel/contracts";
import type { ToolCall } from "@carrel/skills";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { readableText } from "./tool-schema.ts";

const mostQuestions = 20;
const longestQuestion = 1_000;
const yes = "Yes";
const no = "No";

type Answer = string | string[] | null;
type Value = string | number | boolean | string[];

/** One field of a server's form. */
interface Field {
  name: string;
  question: FormQuestion;
  isRequired: boolean;
  fallback: Value | undefined;
  /** Undefined: not an answer to this question. */
  read(answer: string | string[]): Value | undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== ""
    ? clipText(readableText(value), longestQuestion)
    : null;

/** Choices of a schema: value and label. */
function readChoices(schema: Record<string, unknown>): [value: string, label: string][] | null {
  const listed = [schema.oneOf, schema.anyOf].find(Array.isArray) as unknown[] | undefined;
  if (listed !== undefined)
    return listed.flatMap((choice) =>
      isObject(choice) && typeof choice.const === "string"
        ? [[choice.const, textOf(choice.title) ?? choice.const] as [string, string]]
        : [],
    );
  if (!Array.isArray(schema.enum)) return null;
  const labels = Array.isArray(schema.enumNames) ? schema.enumNames : [];
  return schema.enum.flatMap((value, at) =>
    typeof value === "string" ? [[value, textOf(labels[at]) ?? value] as [string, string]] : [],
  );
}

const inputTypes: Record<string, "email" | "url" | "date"> = {
  email: "email",
  uri: "url",
  date: "date",
};

function readField(name: string, schema: unknown, isRequired: boolean): Field | null {
  if (!isObject(schema)) return null;
  const question = textOf(schema.title) ?? textOf(schema.description) ?? textOf(name) ?? "?";
  const fallback = schema.default as Value | undefined;
  const field = { name, isRequired, fallback };
  const choose = (
    choices: [value: string, label: string][],
    multiSelect: boolean,
  ): FormQuestion => ({
    kind: "choice",
    question,
    options: choices.map(([, label]) => label),
    optionDescriptions: [],
    multiSelect,
    allowOther: false,
  });
  const isMultiple = schema.type === "array" && isObject(schema.items);
  const choices = readChoices(isMultiple ? (schema.items as Record<string, unknown>) : schema);
  if (choices !== null) {
    if (choices.length === 0) return null;
    const valueOf = (label: string): string | undefined =>
      choices.find(([value, each]) => each === label || value === label)?.[0];
    return {
      ...field,
      question: choose(choices, isMultiple),
      read: (answer) => {
        const values = [answer].flat().flatMap((label) => valueOf(label) ?? []);
        return isMultiple ? values : values[0];
      },
    };
  }
  if (schema.type === "boolean")
    return {
      ...field,
      question: choose(
        [
          [yes, yes],
          [no, no],
        ],
        false,
      ),
      read: (answer) => [answer].flat()[0] === yes,
    };
  const isNumber = schema.type === "number" || schema.type === "integer";
  if (!isNumber && schema.type !== "string") return null;
  const example =
    fallback ?? (schema.title === undefined ? "" : (textOf(schema.description) ?? ""));
  return {
    ...field,
    question: {
      kind: "input",
      question,
      inputType: isNumber ? "number" : (inputTypes[String(schema.format)] ?? "text"),
      placeholder: clipText(String(example as string), 200),
    },
    read: (answer) => {
      const text = String([answer].flat()[0] ?? "");
      if (!isNumber) return text;
      const number = Number(text);
      return text.trim() === "" || !Number.isFinite(number) ? undefined : number;
    },
  };
}

/**
 * Asks the person what a server asks in the middle of a call. Nothing is sent if nobody answered,
 * or if the form isn't one that people can be shown.
 */
export async function answerElicitation(
  server: string,
  params: { mode?: string; message?: unknown; requestedSchema?: unknown },
  ask: ToolCall["ask"],
): Promise<ElicitResult> {
  if (params.mode === "url") return { action: "decline" };
  const schema = isObject(params.requestedSchema) ? params.requestedSchema : {};
  const properties = Object.entries(isObject(schema.properties) ? schema.properties : {});
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = properties.map(([name, property]) =>
    readField(name, property, required.includes(name)),
  );
  if (fields.length > mostQuestions || fields.some((field) => field === null))
    return { action: "decline" };
  const form = fields as Field[];
  const message = clipText(`${server}: ${textOf(params.message) ?? ""}`, longestQuestion);
  if (form.length === 0) {
    const [answer] = await ask([
      {
        kind: "choice",
        question: message,
        options: [yes, no],
        optionDescriptions: [],
        multiSelect: false,
        allowOther: false,
      },
    ]);
    if (answer === null || answer === undefined) return { action: "cancel" };
    return [answer].flat()[0] === yes ? { action: "accept", content: {} } : { action: "decline" };
  }
  const [first, ...others] = form.map(({ question }) => question);
  const answers = await ask([
    { ...first!, question: `${message}\n\n${first!.question}` },
    ...others,
  ]);
  return accept(form, answers);
}

function accept(form: readonly Field[], answers: readonly Answer[]): ElicitResult {
  if (form.every((_, at) => (answers[at] ?? null) === null)) return { action: "cancel" };
  const content: Record<string, Value> = {};
  for (const [at, { name, isRequired, fallback, read }] of form.entries()) {
    const answer = answers[at] ?? null;
    const value = answer === null ? fallback : read(answer);
    if (value !== undefined) content[name] = value;
    else if (isRequired || answer !== null) return { action: "decline" };
  }
  return { action: "accept", content };
}

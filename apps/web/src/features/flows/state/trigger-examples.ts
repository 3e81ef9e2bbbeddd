import type { FlowStep, FlowVariable } from "@carrel/contracts";
import { checkFlowInput } from "@carrel/contracts/flow-variable";

/** Values that a run accepts. */
const samples: Record<NonNullable<FlowVariable["valueType"]>, string> = {
  text: "Example",
  number: "1",
  boolean: "true",
  list: '["Example"]',
  json: '{"example":1}',
};

/** A value for each of a flow's variables: its default, or a sample if it needs another one. */
export const exampleInputs = (steps: readonly FlowStep[]): Record<string, string> =>
  Object.fromEntries(
    steps
      .flatMap((step) => (step.type === "start" ? step.config.variables : []))
      .filter(({ name }) => name.trim() !== "")
      .map((variable) => [
        variable.name.trim(),
        checkFlowInput(variable, variable.value) === null
          ? variable.value
          : samples[variable.valueType ?? "text"],
      ]),
  );

/** For a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export const runAddress = (origin: string, flowId: string): string =>
  `${origin}/api/v1/flows/${flowId}/run`;

/** Starts a flow with a key of the developer API. */
export function apiExample(
  address: string,
  inputs: Record<string, string>,
  isStreamed: boolean,
): string {
  const body = JSON.stringify({ inputs, ...(isStreamed && { stream: true }) });
  return [
    `curl ${isStreamed ? "-N " : ""}${address} \\`,
    `  -H "Authorization: Bearer $CARREL_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d ${quoted(body)}`,
  ].join("\n");
}

/** Signs a message as Standard Webhooks say, with openssl, and sends it. */
export const webhookExample = (
  address: string,
  fields: Record<string, string>,
  secret = "whsec_…",
): string =>
  [
    `SECRET=${quoted(secret)}`,
    `BODY=${quoted(JSON.stringify(fields))}`,
    `ID="msg_$(openssl rand -hex 12)"`,
    `NOW=$(date +%s)`,
    `KEY=$(printf %s "\${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')`,
    `SIGNATURE=$(printf %s "$ID.$NOW.$BODY" |`,
    `  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64 -A)`,
    `curl ${address} \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -H "webhook-id: $ID" \\`,
    `  -H "webhook-timestamp: $NOW" \\`,
    `  -H "webhook-signature: v1,$SIGNATURE" \\`,
    `  -d "$BODY"`,
  ].join("\n");

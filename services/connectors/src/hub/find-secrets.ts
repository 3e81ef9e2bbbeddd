import { listFlowSteps, type FlowStep } from "@carrel/contracts";
import type { NewItem } from "./new-item.ts";

/** Names of fields that hold a password or key. */
const secretName =
  /authori[sz]ation|api.?key|access.?key|private.?key|token|secret|passw|cookie|credential|(^|[-_])auth([-_]|$)/i;
/** Keys that are recognised by their form, wherever they are. */
const secretForms = [
  /\b(sk|pk|rk)[-_](live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{16,}/,
  /\b(gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|npm_|hf_|dop_v1_|shpat_)[A-Za-z0-9_-]{10,}/,
  /\b(AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[\w-]{30,}/,
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\./,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /\b(Bearer|Basic)\s+[A-Za-z0-9+/_.=-]{12,}/i,
  /:\/\/[^\s/:@]+:[^\s/@$]{3,}@/,
];
/** `"token": "…"` and the like within a body. Each place is a start once, however long a body is. */
const secretInText = /(?<![\w-])([\w-]{1,100})["']?\s{0,20}[:=]\s{0,20}["']([^"'$]{6,})["']/g;

/** Whether it is more than variables and the name of a scheme. */
function isLiteral(value: string): boolean {
  const rest = value
    .replace(/\$\{[^{}]*\}|\{\{[^{}]*\}\}/g, "")
    .replace(/^\s*(bearer|basic|token|apikey)\b/i, "");
  return rest.replace(/[\s;,=-]/g, "").length >= 4;
}

const hasKey = (text: string): boolean => secretForms.some((form) => form.test(text));
const namesSecret = (name: string, value: string): boolean =>
  secretName.test(name) && isLiteral(value);

/** Where an item seems to contain a password or key, in words for the person who publishes it. */
export function findSecrets(item: NewItem): string[] {
  const places = new Set<string>();
  const texts: [string, string][] = [["description", item.description]];
  if (item.itemType === "agent-flow")
    for (const [index, step] of listFlowSteps(item.flow.steps).entries())
      for (const place of listSecrets(step)) places.add(`block ${index + 1}: ${place}`);
  else texts.push(["prompt", item.prompt]);
  for (const [place, text] of texts) if (hasKey(text)) places.add(place);
  return [...places];
}

function listSecrets(step: FlowStep): string[] {
  const places: string[] = [];
  if (step.type === "start")
    for (const { name, value } of step.config.variables)
      if (namesSecret(name, value)) places.push(`variable ${name}`);
  if (step.type === "apiCall") {
    const { headers, formData, body } = step.config;
    for (const { key, value } of headers) if (namesSecret(key, value)) places.push(`header ${key}`);
    for (const { key, value } of formData)
      if (namesSecret(key, value)) places.push(`form field ${key}`);
    for (const [, name = "", value = ""] of body.matchAll(secretInText))
      if (namesSecret(name, value)) places.push(`body field ${name}`);
  }
  if (step.type === "apiCall" || step.type === "webScraping") {
    const query = step.config.url.split("?").slice(1).join("?");
    for (const [key, value] of new URLSearchParams(query))
      if (namesSecret(key, value)) places.push(`address parameter ${key}`);
  }
  // Blocks inside are listed on their own.
  const own = Object.entries(step.config).filter(([, value]) => !isSteps(value));
  for (const [name, value] of own) if (hasKey(JSON.stringify(value))) places.push(name);
  return places;
}

const isSteps = (value: unknown): boolean =>
  Array.isArray(value) && value.some((each) => typeof each?.type === "string" && "config" in each);

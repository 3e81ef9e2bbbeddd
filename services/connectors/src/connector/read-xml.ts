import { setImmediate } from "node:timers/promises";
import { CarrelError } from "@carrel/contracts";
import type { ContentResponse } from "@carrel/egress";
import sax from "sax";

export interface XmlElement {
  /** Without prefix. */
  name: string;
  /** The address that stands for its prefix; empty without one. */
  namespace: string;
  /** Directly in it. */
  text: string;
  children: XmlElement[];
}

const maxDepth = 50;
const maxElements = 300_000;
/** Characters between two moments in which others get their turn. */
const sliceLength = 200_000;

/** Doctypes and other declarations, which no interface needs: their entities can grow without end. */
const declaration = /<!(?!--|\[CDATA\[)/;

/**
 * The root element of an answer. Throws if it isn't well-formed XML, such as a sign-in page, or has
 * a document type.
 */
export async function readXml({
  url,
  body,
}: Pick<ContentResponse, "url" | "body">): Promise<XmlElement> {
  try {
    return await parse(body.toString("utf8"));
  } catch (cause) {
    throw new CarrelError("egress.unexpected-response", { host: new URL(url).host }, { cause });
  }
}

async function parse(xml: string): Promise<XmlElement> {
  if (declaration.test(xml)) throw new Error("a declaration");
  // Its own namespaces take quadratic time for many attributes.
  const parser = sax.parser(true);
  const roots: XmlElement[] = [];
  const open: { element: XmlElement; namespaces: ReadonlyMap<string, string> }[] = [];
  let elements = 0;
  parser.onerror = (error) => {
    throw error;
  };
  parser.onopentag = ({ name, attributes }) => {
    elements += 1;
    if (open.length >= maxDepth || elements > maxElements) throw new Error("too much");
    const around = open.at(-1);
    const namespaces = readNamespaces(attributes as Record<string, string>, around?.namespaces);
    const [, prefix = "", local = name] = /^([^:]+):(.+)$/s.exec(name) ?? [];
    const namespace = namespaces.get(prefix) ?? "";
    const element = { name: local, namespace, text: "", children: [] };
    (around?.element.children ?? roots).push(element);
    open.push({ element, namespaces });
  };
  parser.onclosetag = () => void open.pop();
  const addText = (text: string): void => {
    const inner = open.at(-1);
    if (inner !== undefined) inner.element.text += text;
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  for (let at = 0; at < xml.length; at += sliceLength) {
    parser.write(xml.slice(at, at + sliceLength));
    if (xml.length > sliceLength) await setImmediate();
  }
  parser.close();
  const [root] = roots;
  if (root === undefined) throw new Error("no element");
  return root;
}

const maxNamespaces = 100;

/** Prefixes and what they stand for within an element. */
function readNamespaces(
  attributes: Record<string, string>,
  around: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const declared = Object.entries(attributes).filter(([name]) => /^xmlns(:|$)/.test(name));
  if (declared.length === 0) return around;
  const all = new Map([
    ...around,
    ...declared.map(([name, uri]): [string, string] => [name.slice("xmlns:".length), uri]),
  ]);
  if (all.size > maxNamespaces) throw new Error("too much");
  return all;
}

export const childrenOf = ({ children }: XmlElement, name: string, namespace?: string) =>
  children.filter(
    (child) => child.name === name && (namespace ?? child.namespace) === child.namespace,
  );

/** The text of the first child with this name; empty without one. */
export const childText = (element: XmlElement, name: string, namespace?: string): string =>
  childrenOf(element, name, namespace)[0]?.text.trim() ?? "";

import { startTransition, useEffect, useState } from "react";
import type { Options } from "react-markdown";

/** On a page that is never idle, one piece runs at least this often (ms). */
const timeout = 1_000;
const waiting = new Set<() => void>();
let isScheduled = false;

const whenIdle: (run: () => void) => unknown =
  typeof requestIdleCallback === "function"
    ? (run) => requestIdleCallback(run, { timeout })
    : (run) => setTimeout(run, 50); // Safari

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  whenIdle(() => {
    isScheduled = false;
    const [work] = waiting;
    if (!work) return;
    waiting.delete(work);
    if (waiting.size > 0) schedule();
    work();
  });
}

/**
 * Runs `work` while the page is idle, one piece at a time, so that no piece delays a frame or an
 * input by more than its own duration. Returns a function that cancels it.
 */
function addIdleWork(work: () => void): () => void {
  waiting.add(work);
  schedule();
  return () => {
    waiting.delete(work);
  };
}

export type Plugins = NonNullable<Options["rehypePlugins"]>;
type Name = "math" | "chemistry" | "code";

const needs: Record<Name, RegExp> = {
  math: /\$[^$]+\$|\$\$|\\[([]/,
  chemistry: /\\(?:ce|pu)\s*\{/,
  code: /^\s{0,3}(```|~~~)\s*\w/m,
};
const imports: Record<Name, () => Promise<Plugins[number]>> = {
  math: async () => (await import("./math-plugin.ts")).mathPlugin,
  chemistry: async () => (await import("./chemistry-plugin.ts")).chemistryPlugin,
  code: async () => (await import("./highlight-plugin.ts")).highlightPlugin,
};
const loaded: Partial<Record<Name, Plugins[number]>> = {};
const names = Object.keys(needs) as Name[];
const sets = new Map<string, Plugins>([["", []]]);

/** Names of the plugins that a text needs, as one word. */
function wantedBy(text: string): string {
  const wanted = names.filter((name) => needs[name].test(text));
  const isChemical = wanted.includes("math") && wanted.includes("chemistry");
  // Chemistry includes the plugin for formulas.
  return wanted.filter((name) => name !== (isChemical ? "math" : "chemistry")).join(" ");
}

/** The same list for the same word; null until all of them are loaded. */
function pluginsOf(wanted: string): Plugins | null {
  const known = sets.get(wanted);
  if (known) return known;
  const plugins: Plugins = [];
  for (const name of wanted.split(" ")) {
    const plugin = loaded[name as Name];
    if (!plugin) return null;
    plugins.push(plugin);
  }
  sets.set(wanted, plugins);
  return plugins;
}

async function load(wanted: string): Promise<void> {
  await Promise.all(
    wanted.split(" ").map(async (name) => {
      loaded[name as Name] ??= await imports[name as Name]();
    }),
  );
}

/**
 * The plugins for formulas and highlighted code with which a block is rendered, and their names.
 * Text is painted first: until they are loaded, and in a finished block until the page is idle, a
 * block shows its source. Anything rendered before (`isRendered`) shows them at once.
 */
export function useHeavyPlugins(
  text: string,
  growing: boolean,
  isRendered: (names: string) => boolean,
): { used: string; plugins: Plugins } {
  const wanted = wantedBy(text);
  const [applied, setApplied] = useState("");
  const plugins = pluginsOf(wanted);
  const isApplied = plugins !== null && (growing || applied === wanted || isRendered(wanted));
  useEffect(() => {
    if (wanted === "" || applied === wanted) return;
    let isLive = true;
    let cancel = (): void => undefined;
    const apply = (): void => {
      if (isLive) startTransition(() => setApplied(wanted));
    };
    load(wanted).then(
      () => {
        if (growing) apply();
        else if (isLive) cancel = addIdleWork(apply);
      },
      // Without a connection, the source is kept; the next block tries again.
      () => undefined,
    );
    return () => {
      isLive = false;
      cancel();
    };
  }, [wanted, applied, growing]);
  return isApplied ? { used: wanted, plugins } : { used: "", plugins: [] };
}

import { readdirSync } from "node:fs";
import { findBesideCheckout, guardedFolder, startFakeLlm, type FakeLlm } from "@carrel/testing";
import { commandLine, isRunning } from "../../../tools/process.ts";
import { Api } from "../api.ts";
import { launch, original, type Launch } from "../checkout-copy.ts";
import { startSilentServer, type Scene, type SilentServer, type StopState } from "./stop-states.ts";

export interface StopResult {
  name: string;
  seconds: number;
  /** Faults found; empty if the product stopped as it should. */
  faults: string[];
}

const models = findBesideCheckout("models");
export const canRun = (state: StopState): boolean => !state.needsModels || models !== null;

/** Longer than the product takes at most. */
const longestSeconds = 20;

/** Processes that work on the data folder. */
const left = (home: string): string[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && isRunning(pid))
    .map((pid) => `${pid} ${commandLine(pid)}`)
    .filter((line) => line.includes(`${home}/`) && !line.includes("cat >/dev/null"));

/** Stops one instance in one state after the other, and starts it again in between. */
export class StopRun {
  private readonly home = guardedFolder("carrel-stops-");
  private slug: string | null = null;

  private constructor(
    private readonly vendor: FakeLlm,
    private readonly silent: SilentServer,
  ) {}

  static async open(): Promise<StopRun> {
    return new StopRun(await startFakeLlm(), await startSilentServer());
  }

  close(): Promise<void> {
    return this.vendor.stop();
  }

  async run(state: StopState): Promise<StopResult> {
    const { home, vendor, silent } = this;
    vendor.behave({});
    const start = (): Promise<Launch> =>
      launch(original, {
        env: {
          CARREL_HOME: home,
          CARREL_MODELS_DIR: models ?? "",
          CARREL_MODEL_HUB: "off",
          ...state.environment?.({ vendor, silent }),
        },
      });
    const carrel = await start();
    const api = new Api(carrel.url);
    if (!state.isStarting) {
      await carrel.ready();
      this.slug ??= (await api.makeWorkspace("Stops")).slug;
    }
    const slug = this.slug ?? "";
    const scene: Scene = { carrel, api, slug, vendor, silent, others: [], start };
    let unreached: string[] = [];
    await state.reach(scene).catch((error: Error) => {
      unreached = [`didn't get there: ${error.message}`];
    });
    const began = performance.now();
    await (state.stop?.(scene) ?? carrel.stop());
    const seconds = (performance.now() - began) / 1_000;
    await Promise.all(scene.others.map(({ ended }) => ended));
    const code = await carrel.ended;
    const lines = carrel.output().trimEnd().split("\n");
    const faults = [
      ...unreached,
      ...(code === 0 ? [] : [`exit code ${code ?? carrel.process.signalCode}`]),
      ...(lines.at(-1)!.endsWith("Stopped") ? [] : [`ended with: ${lines.slice(-6).join(" | ")}`]),
      ...(seconds < longestSeconds ? [] : [`took ${Math.round(seconds)} s`]),
      ...left(home).map((line) => `left running: ${line}`),
      ...((await state.check?.(scene)) ?? []),
    ];
    return { name: state.name, seconds, faults };
  }
}

import type { LocalModelOffer } from "@carrel/contracts";
import { estimateSpeed, memoryNeeded, type MachineSpeed } from "@carrel/providers";
import type { CuratedModel } from "./curated-models.ts";

const mostOffers = 4;
/** Enough for a question with its passages and some history. */
const usualContext = 8_192;
/** Share of the machine's memory that a model may take. */
const memoryShare = 0.75;
/** Slower answers than people read are tiring; slower than this, they are no use. */
const comfortable = 8;
const slowest = 2;

/** Memory that a model takes with a usual conversation. */
const memoryOf = (model: CuratedModel): number =>
  memoryNeeded({ size: model.bytes, ...model }, usualContext);

/** Of a mixture of experts, each token reads only the active share. */
function speedOf(model: CuratedModel, machine: MachineSpeed): number {
  const share = model.activeParameters / model.parameters;
  const { answer } = estimateSpeed(
    { size: model.bytes * share, parameters: model.activeParameters },
    machine,
  );
  return roundSpeed(answer);
}

/** As exact as an estimate can be. */
export const roundSpeed = (speed: number): number =>
  speed >= 10 ? Math.round(speed) : Math.round(speed * 10) / 10;

/**
 * The models that this machine can run at a bearable speed, at most four, the smallest first. The
 * recommended one is the largest that is also comfortable.
 *
 * @param memoryBytes the machine's, or the container's
 * @param machine null: not measured
 */
export function chooseOffers(
  models: readonly CuratedModel[],
  memoryBytes: number,
  machine: MachineSpeed | null,
): LocalModelOffer[] {
  const fitting = models
    .map((model) => ({ model, speed: machine === null ? null : speedOf(model, machine) }))
    .filter(({ model }) => memoryOf(model) <= memoryBytes * memoryShare)
    .filter(({ speed }, place) => place === 0 || speed === null || speed >= slowest)
    .slice(-mostOffers);
  const recommended =
    fitting.findLast(({ speed }) => speed !== null && speed >= comfortable) ?? fitting[0];
  return fitting.map(({ model, speed }) => ({
    id: model.id,
    name: model.name,
    vendor: model.vendor,
    license: model.license,
    licenseUrl: model.licenseUrl,
    file: model.file,
    bytes: model.bytes,
    memoryBytes: memoryOf(model),
    tokensPerSecond: speed,
    use: model.use,
    isRecommended: model === recommended?.model,
  }));
}

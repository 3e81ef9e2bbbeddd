import { flowRunChannel } from "@carrel/contracts";
import type { Broadcast } from "@carrel/messaging";
import {
  titleOf,
  toolFault,
  type BlockPlace,
  type EndedBlock,
  type FlowJournal,
  type RecordedBlock,
} from "@carrel/skills";
import type { FlowRunBlockRepository, HeldRun } from "./flow-run-block.repository.ts";
import type { ConfirmRights } from "./flow-run-rights.ts";

/** UTF-16 units of all results of a run as JSON. */
const mostRecorded = 20_000_000;
/** Blocks that can be repeated rely on a check of the owner's rights that is no older. */
const rightsMs = 1_000;

/**
 * Records a run's blocks in PostgreSQL, and notifies its readers. Ends the run with RightsEndedError
 * before a block does anything that its owner no longer may.
 */
export class FlowRunJournal implements FlowJournal {
  constructor(
    private readonly blocks: FlowRunBlockRepository,
    private readonly broadcast: Broadcast,
    private readonly run: HeldRun,
    private readonly confirm: ConfirmRights,
    readonly recorded: ReadonlyMap<string, RecordedBlock>,
    private bytes: number,
  ) {}

  async begin(block: BlockPlace): Promise<void> {
    await this.confirm({ newerThanMs: rightsMs });
    await this.blocks.begin(this.run, block, false);
    this.announce();
  }

  async send(block: BlockPlace): Promise<void> {
    if (this.bytes > mostRecorded) throw tooLarge(titleOf(block.step));
    await this.confirm({ newerThanMs: 0 });
    await this.blocks.begin(this.run, block, true);
  }

  async end(block: EndedBlock): Promise<void> {
    const value = block.value === undefined ? null : (JSON.stringify(block.value) ?? null);
    this.bytes += value?.length ?? 0;
    const isTooLarge = value !== null && this.bytes > mostRecorded;
    await this.blocks.end(this.run, block, isTooLarge ? null : value);
    this.announce();
    if (isTooLarge) throw tooLarge(block.title ?? block.type);
  }

  private announce(): void {
    // A lost one only delays what readers see.
    this.broadcast.publish(flowRunChannel(this.run.id), null).catch(() => undefined);
  }
}

const tooLarge = (block: string): Error =>
  toolFault({
    code: "flow.record-too-large",
    params: { block, megabytes: mostRecorded / 1_000_000 },
  });

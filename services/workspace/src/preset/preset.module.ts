import { createHash } from "node:crypto";
import {
  CarrelError,
  createPreset,
  deletePreset,
  isSystemCommand,
  listPresets,
  toCommand,
  updatePreset,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { Controller, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { cleanText } from "../preference/preference-reader.ts";
import type { Preset } from "./preset.entity.ts";
import { PresetRepository, type PresetFields } from "./preset.repository.ts";

/**
 * Normalizes a command. If it has less than two characters, generates eight from `seed`, the
 * request's idempotency key, so that a redelivery generates the same command.
 */
export const normalizeCommand = (sent: string, seed: string): string =>
  toCommand(sent) ?? `/${createHash("sha256").update(seed).digest("hex").slice(0, 8)}`;

const mapPreset = ({
  id,
  command,
  prompt,
  description,
}: Preset): Out<typeof listPresets>["presets"][number] => ({ id, command, prompt, description });
const mapFullPreset = (preset: Preset): Out<typeof createPreset>["preset"] => ({
  ...mapPreset(preset),
  uid: preset.uid,
  userId: preset.userId,
  createdAt: preset.createdAt.toISOString(),
  lastUpdatedAt: preset.updatedAt.toISOString(),
});

/** The caller's slash commands (wire-contract 2.6). */
@Controller()
class PresetHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly presets: PresetRepository,
  ) {}

  @Handle(listPresets)
  async list(
    _input: In<typeof listPresets>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listPresets>> {
    return { presets: (await this.presets.list(scope)).map(mapPreset) };
  }

  @Handle(createPreset)
  async create(
    input: In<typeof createPreset>,
    context: RequestContext,
  ): Promise<Out<typeof createPreset>> {
    return {
      preset: mapFullPreset(await this.presets.create(context.scope, readFields(input, context))),
    };
  }

  @Handle(updatePreset)
  async update(
    input: In<typeof updatePreset>,
    context: RequestContext,
  ): Promise<Out<typeof updatePreset>> {
    const preset = await this.presets.update(context.scope, input.id, readFields(input, context));
    if (preset === null) throw new CarrelError("preset.not-found");
    return { preset: mapFullPreset(preset) };
  }

  @Handle(deletePreset)
  async delete({ id }: In<typeof deletePreset>, context: RequestContext): Promise<void> {
    await keyed(this.dataSource, context, async (manager) => {
      if (!(await this.presets.delete(context.scope, manager, id)))
        throw new CarrelError("preset.not-deleted");
    });
  }
}

function readFields(input: In<typeof createPreset>, context: RequestContext): PresetFields {
  const command = normalizeCommand(input.command, context.idempotencyKey);
  if (isSystemCommand(command)) throw new CarrelError("preset.command-reserved");
  return {
    command,
    prompt: cleanText(input.prompt, 20_000, { lines: true }),
    description: cleanText(input.description, 2_000, { lines: true }),
  };
}

@Module({
  controllers: [PresetHandler],
  providers: [PresetRepository],
  exports: [PresetRepository],
})
export class PresetModule {}

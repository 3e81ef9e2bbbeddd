import { clipText, tryPlugin, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { callPlugin, ToolError } from "@carrel/skills";
import { Controller } from "@nestjs/common";
import { PluginTools } from "../plugin/plugin-tools.ts";
import { PluginRepository } from "../plugin/plugin.repository.ts";
import { SkillReach } from "./skill-reach.ts";

const longestText = 100_000;
const mostLines = 500;
const longestLine = 500;

/** Calls a plugin for the admin who sets it up, outside of a conversation. */
@Controller()
export class PluginTrialHandler {
  constructor(
    private readonly plugins: PluginTools,
    private readonly repository: PluginRepository,
    private readonly reach: SkillReach,
  ) {}

  @Handle(tryPlugin)
  async try(
    { hubId, input }: In<typeof tryPlugin>,
    { signal }: RequestContext,
  ): Promise<Out<typeof tryPlugin>> {
    const plugin = this.plugins.prepare(await this.repository.find(hubId), true);
    const startedAt = performance.now();
    const passed = (): number => Math.round(performance.now() - startedAt);
    const log: Out<typeof tryPlugin>["log"] = [];
    const done = (reply: Pick<Out<typeof tryPlugin>, "text" | "fault">): Out<typeof tryPlugin> => ({
      ...reply,
      log,
      milliseconds: passed(),
    });
    try {
      const text = await callPlugin(plugin, input, {
        content: this.reach.content,
        signal,
        note({ kind, text: line }) {
          if (log.length < mostLines)
            log.push({ kind, text: clipText(line, longestLine), milliseconds: passed() });
        },
      });
      return done({ text: clipText(text, longestText), fault: null });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return done({ text: null, fault: error.fault });
    }
  }
}

import type { Contracts } from "../operation.ts";
import { agentSettingContracts } from "./agent-setting.ts";
import { answerParameterContracts } from "./answer-parameter.ts";
import { brandingContracts } from "./branding.ts";
import { eventLogContracts } from "./event-log.ts";
import { memberContracts } from "./member.ts";
import { modelOverrideContracts } from "./model-override.ts";
import { noticeContracts } from "./notice.ts";
import { onboardingContracts } from "./onboarding.ts";
import { preferenceContracts } from "./preference.ts";
import { presetContracts } from "./preset.ts";
import { providerContracts } from "./provider.ts";
import { settingContracts } from "./setting.ts";
import { skillContracts } from "./skill.ts";
import { suggestedMessageContracts } from "./suggested-message.ts";
import { systemPromptContracts } from "./system-prompt.ts";
import { telemetryContracts } from "./telemetry.ts";
import { variableContracts } from "./variable.ts";
import { visitorContracts } from "./visitor.ts";
import { webhookContracts } from "./webhook.ts";
import { widgetContracts } from "./widget.ts";
import { workspacePictureContracts } from "./workspace-picture.ts";
import { workspaceReadContracts } from "./workspace-read.ts";
import { workspaceContracts } from "./workspace.ts";
export * from "./agent-setting.ts";
export * from "./answer-parameter.ts";
export * from "./branding.ts";
export * from "./event-log.ts";
export * from "./model-override.ts";
export * from "./member.ts";
export * from "./notice.ts";
export * from "./onboarding.ts";
export * from "./preference.ts";
export * from "./preset.ts";
export * from "./provider.ts";
export * from "./search-provider.ts";
export * from "./setting.ts";
export * from "./setting-captions.ts";
export * from "./setting-field.ts";
export * from "./suggested-message.ts";
export * from "./system-prompt.ts";
export * from "./telemetry.ts";
export * from "./skill.ts";
export * from "./sql-address.ts";
export * from "./sql-connection.ts";
export * from "./variable.ts";
export * from "./webhook.ts";
export * from "./visitor.ts";
export * from "./widget.ts";
export * from "./widget-fields.ts";
export * from "./workspace.ts";
export * from "./workspace-picture.ts";
export * from "./workspace-read.ts";

export const workspaceServiceContracts: readonly Contracts[] = [
  agentSettingContracts,
  answerParameterContracts,
  brandingContracts,
  eventLogContracts,
  modelOverrideContracts,
  memberContracts,
  noticeContracts,
  onboardingContracts,
  preferenceContracts,
  presetContracts,
  providerContracts,
  settingContracts,
  suggestedMessageContracts,
  systemPromptContracts,
  telemetryContracts,
  skillContracts,
  variableContracts,
  webhookContracts,
  visitorContracts,
  widgetContracts,
  workspaceContracts,
  workspacePictureContracts,
  workspaceReadContracts,
];

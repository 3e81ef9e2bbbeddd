import type { WorkspaceWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Fact, Facts } from "./facts.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { formatNumber } from "../../../lib/format.ts";
import {
  suggestedMessagesQuery,
  useSaveSuggestedMessages,
  useUpdateWorkspace,
  vectorCountQuery,
  type SuggestedMessage,
} from "../api/workspace.ts";
import { useDraft } from "../state/draft.ts";
import { changeOf, isBlank, savedOf, trimmed, valuesOf } from "../state/workspace-form.ts";
import { DeleteSection } from "./delete-section.tsx";
import { PictureSection } from "./picture-section.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { SuggestedMessages } from "./suggested-messages.tsx";

/** Name, picture, suggested messages and deletion of a workspace. */
export function GeneralTab({
  workspace,
  onDeleted,
}: {
  workspace: WorkspaceWire;
  onDeleted: () => Promise<void>;
}) {
  const { t } = useTranslation("workspace");
  const { slug } = workspace;
  const draft = useDraft(valuesOf(workspace));
  const update = useUpdateWorkspace(slug);
  const saveMessages = useSaveSuggestedMessages(slug);
  const vectors = useQuery(vectorCountQuery(slug));
  const suggested = useQuery(suggestedMessagesQuery(slug));
  const [typed, setTyped] = useState<SuggestedMessage[] | null>(null);
  const saved = suggested.data ?? [];
  const messages = typed ?? saved;
  const reordered = typed !== null && JSON.stringify(trimmed(typed)) !== JSON.stringify(saved);
  const blanks = typed?.filter(isBlank).length ?? 0;
  const save = async () => {
    const undos: (() => Promise<unknown>)[] = [];
    // If the second request fails, the first one's changes stay saved.
    if (draft.changed.length > 0) {
      const before = savedOf(draft.changed, workspace);
      await update.mutateAsync(changeOf(draft.changed, draft.values));
      draft.settle(draft.values);
      undos.push(() => update.mutateAsync(before));
    }
    if (reordered) {
      await saveMessages.mutateAsync(trimmed(messages));
      setTyped(null);
      undos.push(() => saveMessages.mutateAsync(saved));
    }
    return () => Promise.all(undos.map((undo) => undo()));
  };
  return (
    <SettingsForm
      label={t("tab.general-appearance")}
      changes={draft.changed.length + Number(reordered)}
      faults={Object.keys(draft.faults).length + blanks}
      onSave={save}
      onDiscard={() => {
        draft.discard();
        setTyped(null);
      }}
    >
      <FormSection title={t("general")}>
        <TextField
          label={t("name")}
          value={draft.values.name}
          maxLength={255}
          autoComplete="off"
          help={t("nameHelp")}
          problem={draft.faults.name && t(`fault.${draft.faults.name}`)}
          onChange={(event) => draft.set({ name: event.target.value })}
        />
        <Facts>
          <Fact name={t("vectorCount")}>
            {vectors.error
              ? t("unknownCount")
              : vectors.data === undefined
                ? "…"
                : formatNumber(vectors.data)}
          </Fact>
        </Facts>
      </FormSection>
      <PictureSection workspace={workspace} />
      <SuggestedMessages query={suggested} messages={messages} onChange={setTyped} />
      <DeleteSection workspace={workspace} onDeleted={onDeleted} />
    </SettingsForm>
  );
}

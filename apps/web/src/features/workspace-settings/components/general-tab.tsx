import type { WorkspaceWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState, type FormEvent } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { Avatar, initialsOf } from "../../../components/ui/avatar.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { FileInput } from "../../../components/ui/field.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { workspacePictureQuery } from "../../../lib/workspaces.ts";
import {
  suggestedMessagesQuery,
  useDeleteWorkspace,
  useRemoveWorkspacePicture,
  useSaveSuggestedMessages,
  useUpdateWorkspace,
  useUploadWorkspacePicture,
  vectorCountQuery,
  type SuggestedMessage,
} from "../api/workspace.ts";
import {
  changeOf,
  isBlank,
  savedOf,
  trimmed,
  useDraft,
  valuesOf,
} from "../state/workspace-form.ts";
import { Fact, Facts, SettingsForm } from "./settings-form.tsx";
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

/** The picture shown next to answers in this workspace; saved as soon as it is chosen. */
function PictureSection({ workspace }: { workspace: WorkspaceWire }) {
  const { t } = useTranslation("workspace");
  const picker = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const upload = useUploadWorkspacePicture(workspace.slug);
  const remove = useRemoveWorkspacePicture(workspace.slug);
  const busy = upload.isPending || remove.isPending;
  const bytes = useQuery(workspacePictureQuery(workspace.slug, workspace.pfpFilename)).data ?? null;
  const has = workspace.pfpFilename !== null;
  const onRemoved = (): void => {
    button.current?.focus(); // the button that was pressed is gone
    toast.success(t("pictureRemoved"));
  };
  return (
    <FormSection title={t("picture")} help={t("pictureHelp")}>
      <div className="flex items-center gap-4">
        <Avatar
          size="lg"
          shape="square"
          initials={initialsOf(workspace.name)}
          picture={has ? bytes : null}
        />
        <div className="flex items-center gap-2 flex-wrap">
          <FileInput
            ref={picker}
            accept="image/*"
            label={t("picture")}
            onFiles={([file]) =>
              upload.mutate(file!, { onSuccess: () => toast.success(t("pictureUploaded")) })
            }
          />
          <Button
            ref={button}
            className="max-md:h-11"
            disabled={busy}
            onClick={() => picker.current?.click()}
          >
            {upload.isPending
              ? t("pictureUploading")
              : has
                ? t("pictureReplace")
                : t("pictureUpload")}
          </Button>
          {has && (
            <Button
              className="max-md:h-11"
              variant="quiet"
              disabled={busy}
              onClick={() => remove.mutate(undefined, { onSuccess: onRemoved })}
            >
              {remove.isPending ? t("pictureRemoving") : t("pictureRemove")}
            </Button>
          )}
        </div>
      </div>
    </FormSection>
  );
}

/** Deletes the workspace for everyone, after its name is typed as confirmation. */
function DeleteSection({
  workspace,
  onDeleted,
}: {
  workspace: WorkspaceWire;
  onDeleted: () => Promise<void>;
}) {
  const { t } = useTranslation("workspace");
  const [asked, setAsked] = useState(false);
  return (
    <FormSection title={t("delete")} help={t("deleteHelp")}>
      <div>
        <Button className="max-md:h-11" variant="danger" onClick={() => setAsked(true)}>
          {t("deleteOpen")}
        </Button>
      </div>
      {asked &&
        createPortal(
          <DeleteDialog
            workspace={workspace}
            onDeleted={onDeleted}
            onClose={() => setAsked(false)}
          />,
          document.body,
        )}
    </FormSection>
  );
}

function DeleteDialog({
  workspace: { slug, name },
  onDeleted,
  onClose,
}: {
  workspace: WorkspaceWire;
  onDeleted: () => Promise<void>;
  onClose: () => void;
}) {
  const { t } = useTranslation(["workspace", "common"]);
  const [typed, setTyped] = useState("");
  const remove = useDeleteWorkspace(slug);
  const matches = typed.trim() === name.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation(); // in React's tree the dialog is inside the form
    if (remove.isPending || !matches) return;
    const end = async (): Promise<void> => {
      toast.success(t("deleted", { name }));
      await onDeleted();
    };
    // Not a callback of `mutate`: the page may learn that the workspace is gone, and close this
    // dialog, before the reply arrives. The dialog shows any error.
    void remove.mutateAsync().then(end, () => undefined);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("deleteTitle", { name })}
      description={t("deleteText")}
      className="w-[min(560px,100vw-24px)]"
    >
      <form className="grid gap-4" onSubmit={submit}>
        <TextField
          label={t("deleteTyped", { name })}
          value={typed}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
        {remove.error && (
          <Notice kind="bad">
            <p>{t("notDeleted", { message: remove.error.message })}</p>
          </Notice>
        )}
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("common:cancel")}
          </Button>
          <Button
            type="submit"
            variant="danger"
            disabled={remove.isPending || remove.isSuccess || !matches}
          >
            {remove.isPending || remove.isSuccess ? t("deleting") : t("delete")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Pencil, Plus, Share2, Trash2 } from "lucide-react";
import { useId, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton, iconButtonStyles } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Field, FieldError, FieldLabel, Textarea } from "../../../components/ui/field.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { useRights } from "../../../lib/current-user.ts";
import {
  presetsQuery,
  useDeletePreset,
  useSavePreset,
  type Preset,
  type PresetFields,
} from "../api/slash-commands.ts";

function PresetForm({
  preset,
  initial,
  onDone,
}: {
  preset: Preset | null;
  initial: PresetFields;
  onDone: () => void;
}) {
  const { t } = useTranslation("chat");
  const id = useId();
  const [fields, setFields] = useState(initial);
  const saving = useSavePreset();
  const problem = saving.error?.message;
  const isReady = fields.command.replace(/^\/+/, "").trim() !== "" && fields.prompt.trim() !== "";
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (!isReady || saving.isPending) return;
    saving.mutate(
      {
        id: preset?.id ?? null,
        fields: { ...fields, command: `/${fields.command.trim().replace(/^\/+/, "")}` },
      },
      { onSuccess: onDone },
    );
  };
  const set = (part: Partial<PresetFields>): void => {
    setFields({ ...fields, ...part });
    saving.reset();
  };
  return (
    <form className="grid gap-4" onSubmit={save}>
      <TextField
        label={t("presetCommand")}
        help={t("presetCommandHelp")}
        value={fields.command}
        maxLength={60}
        autoFocus
        dir="ltr"
        spellCheck={false}
        onChange={(event) => set({ command: event.target.value })}
      />
      <Field>
        <FieldLabel htmlFor={id}>{t("presetPrompt")}</FieldLabel>
        <Textarea
          id={id}
          dir="auto"
          rows={5}
          maxLength={20_000}
          value={fields.prompt}
          onChange={(event) => set({ prompt: event.target.value })}
        />
      </Field>
      <TextField
        label={t("presetDescription")}
        value={fields.description}
        maxLength={2_000}
        onChange={(event) => set({ description: event.target.value })}
      />
      {problem && <FieldError role="alert">{problem}</FieldError>}
      <DialogFooter>
        <Button variant="quiet" onClick={onDone}>
          {t("back")}
        </Button>
        <Button type="submit" variant="primary" disabled={!isReady || saving.isPending}>
          {t("savePreset")}
        </Button>
      </DialogFooter>
    </form>
  );
}

/** The user's own slash commands, each of which expands to a text. */
export default function PresetDialog({
  initial,
  onClose,
}: {
  /** Text that was typed but isn't a command yet. */
  initial: string | null;
  onClose: () => void;
}) {
  const { t } = useTranslation("chat");
  const presets = useQuery(presetsQuery).data ?? [];
  const [editing, setEditing] = useState<{ preset: Preset | null; fields: PresetFields } | null>(
    () =>
      initial ? { preset: null, fields: { command: initial, prompt: "", description: "" } } : null,
  );
  const [removing, setRemoving] = useState<number | null>(null);
  const deletion = useDeletePreset();
  const { admin } = useRights();
  const remove = (preset: Preset): void =>
    deletion.mutate(preset, { onSettled: () => setRemoving(null) });
  return (
    <Dialog
      open
      onClose={onClose}
      title={editing ? (editing.preset ? t("editPreset") : t("newPreset")) : t("presets")}
      description={editing ? undefined : t("presetsHelp")}
    >
      {editing ? (
        <PresetForm
          preset={editing.preset}
          initial={editing.fields}
          onDone={() => setEditing(null)}
        />
      ) : (
        <>
          {presets.length === 0 ? (
            <p className="text-fg-3">{t("noPresets")}</p>
          ) : (
            <ul className="grid max-h-80 overflow-y-auto">
              {presets.map((preset) => (
                <li
                  className="flex min-w-0 items-center gap-1.5 border-b border-subtle py-2"
                  key={preset.id}
                >
                  <div className="min-w-0 flex-1">
                    <b dir="ltr">{preset.command}</b>
                    <p className="truncate text-fg-3">{preset.description || preset.prompt}</p>
                  </div>
                  {removing === preset.id ? (
                    <>
                      <Button variant="quiet" size="sm" onClick={() => setRemoving(null)}>
                        {t("keep")}
                      </Button>
                      <Button variant="danger" size="sm" autoFocus onClick={() => remove(preset)}>
                        {t("deletePreset")}
                      </Button>
                    </>
                  ) : (
                    <>
                      {admin && (
                        <Link
                          data-slot="icon-button"
                          className={iconButtonStyles}
                          aria-label={t("publishNamed", { name: preset.command })}
                          title={t("publishNamed", { name: preset.command })}
                          to="/settings/community-hub/publish"
                          search={{ type: "slash-command", of: String(preset.id) }}
                        >
                          <Share2 />
                        </Link>
                      )}
                      <IconButton
                        label={t("editNamed", { name: preset.command })}
                        onClick={() => setEditing({ preset, fields: preset })}
                      >
                        <Pencil />
                      </IconButton>
                      <IconButton
                        label={t("deleteNamed", { name: preset.command })}
                        onClick={() => setRemoving(preset.id)}
                      >
                        <Trash2 />
                      </IconButton>
                    </>
                  )}
                </li>
              ))}
            </ul>
          )}
          <DialogFooter>
            <Button variant="quiet" onClick={onClose}>
              {t("close")}
            </Button>
            <Button
              variant="primary"
              onClick={() =>
                setEditing({ preset: null, fields: { command: "", prompt: "", description: "" } })
              }
            >
              <Plus className="size-3.5 stroke-2" aria-hidden="true" />
              {t("newPreset")}
            </Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  );
}

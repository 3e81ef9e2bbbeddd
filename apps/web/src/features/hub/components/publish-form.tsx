import { hubVisibilities } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { Link } from "@tanstack/react-router";
import { CircleCheck, Download } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/choices.tsx";
import { saveText } from "../../../components/ui/copy-button.tsx";
import { Field, FieldHelp, FieldLabel, Textarea } from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { usePreparePublication, usePublish, type Publication } from "../api/hub.ts";
import { typeKey } from "../state/hub-search.ts";
import { ForeignText } from "./preview-parts.tsx";

const maxTags = 20;

/** Describes what is published, shows all of it, and then publishes it. */
export function PublishForm({ draft }: { draft: Publication }) {
  const { t } = useTranslation("hub");
  const [name, setName] = useState(draft.name ?? "");
  const [description, setDescription] = useState(draft.description ?? "");
  const [tags, setTags] = useState("");
  const [visibility, setVisibility] = useState<(typeof hubVisibilities)[number]>("private");
  const prepare = usePreparePublication();
  const area = useId();
  const publication: Publication = {
    ...draft,
    name: name.trim(),
    description: description.trim(),
    visibility,
    tags: tags
      .split(",")
      .map((tag) => clipText(tag.trim(), 50))
      .filter(Boolean)
      .slice(0, maxTags),
  };
  if (prepare.data !== undefined)
    return (
      <Review publication={publication} prepared={prepare.data} onBack={() => prepare.reset()} />
    );
  return (
    <form
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        prepare.mutate(publication);
      }}
    >
      <Title type={draft.type} />
      <TextField
        label={t("publish.name")}
        value={name}
        maxLength={200}
        dir="auto"
        onChange={({ target }) => setName(target.value)}
      />
      <Field>
        <FieldLabel htmlFor={area}>{t("publish.description")}</FieldLabel>
        <Textarea
          id={area}
          rows={3}
          dir="auto"
          maxLength={2_000}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
      </Field>
      <TextField
        label={t("publish.tags")}
        help={t("publish.tagsHelp")}
        value={tags}
        maxLength={1_000}
        onChange={({ target }) => setTags(target.value)}
      />
      <Field>
        <span className="font-medium" aria-hidden="true">
          {t("publish.visibility")}
        </span>
        <div>
          <Segmented
            label={t("publish.visibility")}
            value={visibility}
            options={hubVisibilities
              .toReversed()
              .map((value) => ({ value, label: t(`publish.${value}`) }))}
            onChange={setVisibility}
          />
        </div>
        <FieldHelp>{t(`publish.${visibility}Help`)}</FieldHelp>
      </Field>
      {prepare.error && <Notice kind="bad">{prepare.error.message}</Notice>}
      <div>
        <Button type="submit" variant="primary" disabled={name.trim() === "" || prepare.isPending}>
          {t("publish.review")}
        </Button>
      </div>
    </form>
  );
}

function Title({ type }: { type: string }) {
  const { t } = useTranslation("hub");
  const key = typeKey[type as keyof typeof typeKey] as "prompt" | "command" | "flow";
  return <h2 className="text-lg font-semibold">{t(`publish.${key}`)}</h2>;
}

type Prepared = NonNullable<ReturnType<typeof usePreparePublication>["data"]>;

function Review({
  publication,
  prepared,
  onBack,
}: {
  publication: Publication;
  prepared: Prepared;
  onBack: () => void;
}) {
  const { t } = useTranslation("hub");
  const publish = usePublish();
  const [isSeen, setSeen] = useState(false);
  const { content, itemId, path, replaces, target, secrets, type } = prepared;
  const isReady = secrets.length === 0 || isSeen;
  if (publish.data !== undefined)
    return (
      <section className="grid justify-items-start gap-2 rounded-md border border-line p-6">
        <CircleCheck className="size-6 text-success" aria-hidden="true" />
        <h2 className="font-semibold" role="status">
          {t("publish.done")}
        </h2>
        <p className="text-fg-2">{t("publish.doneText")}</p>
        <code className="font-mono text-xs wrap-anywhere" dir="ltr">
          {`allm-community-id:${type}:${publish.data.item.id}`}
        </code>
        <Link
          className={buttonStyles({ className: "mt-2" })}
          to="/settings/community-hub/trending"
          search={{ type }}
        >
          {t("publish.toHub")}
        </Link>
      </section>
    );
  return (
    <div className="grid grid-cols-1 gap-4">
      <Title type={type} />
      <p className="text-fg-2">
        {t(`publish.to.${target}`, { path, context: replaces ? "replaces" : undefined })}
      </p>
      <ForeignText label={t("publish.content")}>{content}</ForeignText>
      {secrets.length > 0 && (
        <Notice kind="warn">
          <p>
            <b>{t("publish.secrets")}</b>
          </p>
          <ul className="mt-1 list-disc ps-5">
            {secrets.map((place) => (
              <li key={place}>{place}</li>
            ))}
          </ul>
          <label className="mt-2 flex items-start gap-2">
            <Checkbox checked={isSeen} onChange={() => setSeen(!isSeen)} />
            <span>{t("publish.secretsSeen")}</span>
          </label>
        </Notice>
      )}
      {publish.error && <Notice kind="bad">{publish.error.message}</Notice>}
      <div className="flex flex-wrap gap-2">
        {target === "repository" ? (
          <Button
            variant="primary"
            disabled={!isReady}
            onClick={() => saveText(path.split("/").at(-1)!, content)}
          >
            <Download className="size-3.5 stroke-2" aria-hidden="true" />
            {t("publish.download")}
          </Button>
        ) : (
          <Button
            variant="primary"
            disabled={!isReady || publish.isPending}
            onClick={() => publish.mutate({ ...publication, itemId, secretsSeen: isSeen })}
          >
            {t(publish.isPending ? "publish.busy" : "publish.publish")}
          </Button>
        )}
        <Button variant="quiet" onClick={onBack}>
          {t("publish.edit")}
        </Button>
      </div>
    </div>
  );
}

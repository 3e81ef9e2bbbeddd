import { useQuery } from "@tanstack/react-query";
import { ChevronDown, SlidersHorizontal } from "lucide-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import { ClosedDoor } from "../../../components/ui/closed-door.tsx";
import { cn } from "../../../lib/cn.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { modelName, threadModelQuery } from "../api/thread-model.ts";

const ParameterDialog = lazyPart(() => import("../../../components/provider/parameter-dialog.tsx"));

/** Opens the prompt and parameters of a thread (null: the default thread). */
function ParameterButton({ slug, threadSlug }: { slug: string; threadSlug: string | null }) {
  const { t } = useTranslation("chat");
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton
        label={t("answerSettings")}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <SlidersHorizontal />
      </IconButton>
      {open && (
        <Suspense>
          <ParameterDialog owner={{ slug, thread: threadSlug }} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

const load = (): Promise<typeof import("./model-list.tsx")> => import("./model-list.tsx");
const ModelList = lazyPart(load);

const look =
  "inline-flex h-7 max-w-[30ch] min-w-0 items-center gap-1 rounded-sm ps-2 pe-1.5 text-xs/5 font-medium text-fg-2 max-md:h-11 max-md:max-w-full";

/**
 * The model that answers in a thread (null: the default thread). Everyone sees it; people who may
 * choose can change it.
 */
export function ModelPicker({
  slug,
  threadSlug,
  managesProviders,
  open,
  onOpen,
}: {
  slug: string;
  threadSlug: string | null;
  /** Whether to link to the providers' settings. */
  managesProviders: boolean;
  open: boolean;
  onOpen: (open: boolean) => void;
}) {
  const { t } = useTranslation("chat");
  const model = useQuery(threadModelQuery(slug, threadSlug)).data;
  if (!model) return null;
  const name = (
    <span className="truncate" dir="auto">
      {modelName(model)}
    </span>
  );
  // Answers without a model have no settings.
  const parameters = model.model !== null && (
    <ParameterButton slug={slug} threadSlug={threadSlug} />
  );
  if (!model.mayChoose)
    return (
      <>
        <ClosedDoor door="chooseModel">
          <button
            type="button"
            className={cn(look, "hover:bg-hover")}
            aria-label={t("modelNamed", { model: modelName(model) })}
          >
            {name}
          </button>
        </ClosedDoor>
        {parameters}
      </>
    );
  const preload = (): void => void load();
  const button = (
    <button
      type="button"
      className={cn(look, "cursor-pointer hover:bg-hover hover:text-fg-1")}
      title={t("modelChoose")}
      aria-label={t("modelChooseNamed", { model: modelName(model) })}
      aria-haspopup="dialog"
      aria-expanded={open}
      onClick={() => onOpen(true)}
      onPointerEnter={preload}
      onFocus={preload}
    >
      {name}
      <ChevronDown className="size-3 shrink-0 text-fg-3" aria-hidden="true" />
    </button>
  );
  return (
    <>
      {open ? (
        <Suspense fallback={button}>
          <ModelList
            trigger={button}
            slug={slug}
            threadSlug={threadSlug}
            current={model}
            managesProviders={managesProviders}
            onClose={() => onOpen(false)}
          />
        </Suspense>
      ) : (
        button
      )}
      {parameters}
    </>
  );
}

import { clipText } from "@carrel/contracts/clip-text";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute, redirect, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { acceptedTypesQuery } from "../features/documents/api/accepted-types.ts";
import { FileDrop } from "../features/documents/components/file-drop.tsx";
import { useCreateWorkspace } from "../features/shell/api/workspaces.ts";
import { HomePage } from "../features/shell/components/home-page.tsx";
import { usePageTitle } from "../lib/brand.ts";
import { useWorkspaceRights } from "../lib/current-user.ts";
import { errorMessage } from "../lib/fault.ts";
import { useFirstUse } from "../lib/first-use.ts";
import { toast } from "../lib/toast.ts";
import { workspacesQuery } from "../lib/workspaces.ts";

/** Maximum length of a workspace's name. */
const maxName = 255;

export const Route = createFileRoute("/_app/")({
  loader: async ({ context }) => {
    const { workspaces } = await context.queryClient.ensureQueryData(workspacesQuery);
    const first = workspaces[0];
    if (first)
      throw redirect({ to: "/workspace/$workspaceSlug", params: { workspaceSlug: first.slug } });
  },
  component: Home,
});

function Home() {
  const navigate = useNavigate();
  const create = useCreateWorkspace();
  const { t } = useTranslation(["documents", "shell"]);
  const accept = useQuery({ ...acceptedTypesQuery, enabled: useFirstUse() }).data?.join(",") ?? "";
  const { creates, isKnown } = useWorkspaceRights();
  usePageTitle(null);
  const createNamed = async (name: string): Promise<string> => {
    const { slug } = await create.mutateAsync(name);
    await navigate({ to: "/workspace/$workspaceSlug", params: { workspaceSlug: slug } });
    return slug;
  };
  const createWith = async (files: File[]): Promise<void> => {
    const { addFiles } = await import("../features/documents/state/uploads.ts");
    // The first file's name without its extension; the workspace can be renamed.
    const name = files[0]?.name.replace(/\.[^.]*$/, "").trim() || t("shell:newWorkspace");
    addFiles(await createNamed(clipText(name, maxName)), files);
  };
  return (
    <>
      <HomePage
        closed={isKnown}
        onCreate={
          creates
            ? async (name) => {
                await createNamed(name);
              }
            : null
        }
      />
      <FileDrop
        title={t("dropFirst")}
        accept={accept}
        onFiles={
          creates && !create.isPending
            ? (files) =>
                void createWith(files).catch((error: unknown) =>
                  toast.error(t("shell:workspaceNotCreated", { message: errorMessage(error) })),
                )
            : null
        }
      />
    </>
  );
}

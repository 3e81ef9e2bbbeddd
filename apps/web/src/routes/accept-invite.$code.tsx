import { createFileRoute, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { refusalOfInvite } from "../features/auth/api/sign-in.ts";
import { InvitePage } from "../features/auth/components/invite-page.tsx";
import { toast } from "../lib/toast.ts";
import { useSignedIn } from "./-guards.ts";

export const Route = createFileRoute("/accept-invite/$code")({
  loader: async ({ params }) => ({ refusal: await refusalOfInvite(params.code) }),
  staleTime: Infinity,
  component: AcceptInvite,
});

function AcceptInvite() {
  const { t } = useTranslation("auth");
  const navigate = useNavigate();
  const signedIn = useSignedIn();
  return (
    <InvitePage
      code={Route.useParams().code}
      refusal={Route.useLoaderData().refusal}
      onSession={(session) => signedIn(session, "/")}
      onCreated={() => {
        toast.info(t("invite.created"));
        void navigate({ to: "/login", search: { nt: 1 } });
      }}
    />
  );
}

import { createFileRoute } from "@tanstack/react-router";
import { ChatScreen, loadChat } from "./-chat-screen.tsx";

export const Route = createFileRoute("/_app/workspace/$workspaceSlug/")({
  loader: ({ context, params }) => loadChat(context.queryClient, params.workspaceSlug, null),
  component: function DefaultThread() {
    const { workspaceSlug } = Route.useParams();
    return <ChatScreen key={workspaceSlug} slug={workspaceSlug} threadSlug={null} />;
  },
});

import { createFileRoute } from "@tanstack/react-router";
import { ChatScreen, loadChat } from "./-chat-screen.tsx";

export const Route = createFileRoute("/_app/workspace/$workspaceSlug/t/$threadSlug")({
  loader: ({ context, params }) =>
    loadChat(context.queryClient, params.workspaceSlug, params.threadSlug),
  component: function Thread() {
    const { workspaceSlug, threadSlug } = Route.useParams();
    return (
      <ChatScreen
        key={`${workspaceSlug}/${threadSlug}`}
        slug={workspaceSlug}
        threadSlug={threadSlug}
      />
    );
  },
});

# Generated from docs/openapi.json by `./carrel clients`.
from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, Literal, cast

from ._transport import (
    NOT_GIVEN,
    AsyncTransport,
    FileContent,
    NotGiven,
    Transport,
    segment,
)
from .types import (
    AddTextMetadata,
    AddTextReply,
    AddWorkspaceMembersReply,
    CancelFlowRunReply,
    ChatAnswer,
    ChatAttachment,
    ChatCompletion,
    CheckKeyReply,
    CountVectorsReply,
    CreateChatCompletionMessage,
    CreateChatCompletionResponseFormat1,
    CreateChatCompletionResponseFormatJsonSchema,
    CreateChatCompletionStreamOptions,
    CreateChatCompletionTool,
    CreateChatCompletionToolChoice,
    CreateEmbeddingsReply,
    CreateFolderReply,
    CreateInviteReply,
    CreateResponseInputItemFunctionCall,
    CreateResponseInputItemFunctionCallOutput,
    CreateResponseInputItemMessage,
    CreateResponseInputItemReasoning,
    CreateResponseText,
    CreateResponseTool,
    CreateResponseToolChoice,
    CreateScheduleDelivery,
    CreateScheduleReply,
    CreateScheduleWork1,
    CreateScheduleWork2,
    CreateScheduleWork3,
    CreateThreadReply,
    CreateUserReply,
    CreateWebhookReply,
    CreateWidgetReply,
    CreateWorkspaceReply,
    DeleteScheduleReply,
    DisableInviteReply,
    GetDocumentReply,
    GetFlowRunReply,
    GetMetadataSchemaReply,
    GetScheduleReply,
    GetScheduleReplyScheduleApproval,
    GetSettingsReply,
    GetWorkspaceReply,
    IsMultiUserModeReply,
    IssueSignInTokenReply,
    ListAcceptedFileTypesReply,
    ListChatsReply,
    ListDocumentsReply1,
    ListDocumentsReply2,
    ListFlowsReply,
    ListFolderReply,
    ListInvitesReply,
    ListModelsReply,
    ListModelsReplyDataItem,
    ListRecordedChatsReply,
    ListSchedulesReply,
    ListSchedulesReplyScheduleTiming1,
    ListSchedulesReplyScheduleTiming2,
    ListUserAccountsReply,
    ListUsersReply,
    ListVectorStoresReply,
    ListWebhookDeliveriesReply,
    ListWebhooksReply,
    ListWidgetChatsReply,
    ListWidgetsReply,
    ListWorkspaceMembersReply,
    ListWorkspacesReply,
    MoveDocumentsFile,
    OpenAiResponse,
    PinDocumentReply,
    ReadFlowRunResultReply,
    ReadStepReply,
    RemoveFolderReply,
    RotateWebhookSecretReply,
    RunFlowReply,
    RunScheduleReply,
    SearchWorkspaceFilter,
    SearchWorkspaceReply,
    StreamFrame,
    TestWebhookReply,
    UpdateSettingsReply,
    UpdateThreadReply,
    UpdateWebhookReply,
    UpdateWidgetReply,
    UpdateWorkspaceDocumentsReply,
    UpdateWorkspaceReply,
    UploadLinkMetadata,
)


class Methods(Transport):
    def create_invite(
        self,
        *,
        workspace_ids: list[int] | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> CreateInviteReply:
        """Create an invite.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "CreateInviteReply",
            self._request_json(
                "POST",
                "/api/v1/admin/invite/new",
                headers={"Idempotency-Key": idempotency_key},
                json={"workspaceIds": workspace_ids},
            ),
        )

    def disable_invite(
        self,
        id: int,
    ) -> DisableInviteReply:
        """Disable an invite.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "DisableInviteReply",
            self._request_json(
                "DELETE",
                f"/api/v1/admin/invite/{segment(id)}",
            ),
        )

    def list_invites(
        self,
    ) -> ListInvitesReply:
        """List invites.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "ListInvitesReply",
            self._request_json(
                "GET",
                "/api/v1/admin/invites",
            ),
        )

    def is_multi_user_mode(
        self,
    ) -> IsMultiUserModeReply:
        """Check whether the instance has user accounts.

        Needs a key with the scope `read`."""
        return cast(
            "IsMultiUserModeReply",
            self._request_json(
                "GET",
                "/api/v1/admin/is-multi-user-mode",
            ),
        )

    def update_preferences(
        self,
        *,
        body: dict[str, Any],
    ) -> DisableInviteReply:
        """Set system preferences.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "DisableInviteReply",
            self._request_json(
                "POST",
                "/api/v1/admin/preferences",
                json=body,
            ),
        )

    def list_user_accounts(
        self,
    ) -> ListUserAccountsReply:
        """List users.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "ListUserAccountsReply",
            self._request_json(
                "GET",
                "/api/v1/admin/users",
            ),
        )

    def create_user(
        self,
        *,
        username: str | None | NotGiven = NOT_GIVEN,
        password: str | None | NotGiven = NOT_GIVEN,
        role: str | None | NotGiven = NOT_GIVEN,
        bio: str | None | NotGiven = NOT_GIVEN,
        daily_message_limit: Literal[""] | float | None | NotGiven = NOT_GIVEN,
        suspended: bool | Literal[0] | Literal[1] | Literal["0"] | Literal["1"] | Literal["true"] | Literal["false"] | NotGiven = NOT_GIVEN,
        email: str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> CreateUserReply:
        """Create a user.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "CreateUserReply",
            self._request_json(
                "POST",
                "/api/v1/admin/users/new",
                headers={"Idempotency-Key": idempotency_key},
                json={"username": username, "password": password, "role": role, "bio": bio, "dailyMessageLimit": daily_message_limit, "suspended": suspended, "email": email},
            ),
        )

    def delete_user(
        self,
        id: int,
    ) -> DisableInviteReply:
        """Delete a user.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "DisableInviteReply",
            self._request_json(
                "DELETE",
                f"/api/v1/admin/users/{segment(id)}",
            ),
        )

    def update_user(
        self,
        id: int,
        *,
        username: str | None | NotGiven = NOT_GIVEN,
        password: str | None | NotGiven = NOT_GIVEN,
        role: str | None | NotGiven = NOT_GIVEN,
        bio: str | None | NotGiven = NOT_GIVEN,
        daily_message_limit: Literal[""] | float | None | NotGiven = NOT_GIVEN,
        suspended: bool | Literal[0] | Literal[1] | Literal["0"] | Literal["1"] | Literal["true"] | Literal["false"] | NotGiven = NOT_GIVEN,
        email: str | None | NotGiven = NOT_GIVEN,
        current_password: str | NotGiven = NOT_GIVEN,
        code: str | NotGiven = NOT_GIVEN,
    ) -> DisableInviteReply:
        """Update a user.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "DisableInviteReply",
            self._request_json(
                "POST",
                f"/api/v1/admin/users/{segment(id)}",
                json={"username": username, "password": password, "role": role, "bio": bio, "dailyMessageLimit": daily_message_limit, "suspended": suspended, "email": email, "currentPassword": current_password, "code": code},
            ),
        )

    def list_recorded_chats(
        self,
        *,
        chat_type: Literal["workspace"] | Literal["embed"] | NotGiven = NOT_GIVEN,
        workspace_id: int | NotGiven = NOT_GIVEN,
        embed_id: int | NotGiven = NOT_GIVEN,
        session_id: str | NotGiven = NOT_GIVEN,
        user_id: Literal["none"] | int | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        time_zone: str | NotGiven = NOT_GIVEN,
        rating: Literal["good"] | Literal["bad"] | Literal["none"] | NotGiven = NOT_GIVEN,
        search: str | NotGiven = NOT_GIVEN,
        offset: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
    ) -> ListRecordedChatsReply:
        """List recorded chats, 20 per page.

        Needs a key with the scope `admin`."""
        return cast(
            "ListRecordedChatsReply",
            self._request_json(
                "POST",
                "/api/v1/admin/workspace-chats",
                json={"chatType": chat_type, "workspaceId": workspace_id, "embedId": embed_id, "sessionId": session_id, "userId": user_id, "from": from_, "to": to, "timeZone": time_zone, "rating": rating, "search": search, "offset": offset, "limit": limit, "cursor": cursor},
            ),
        )

    def replace_workspace_members(
        self,
        id: int,
        *,
        user_ids: list[int],
    ) -> DisableInviteReply:
        """Set the members of a workspace.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "DisableInviteReply",
            self._request_json(
                "POST",
                f"/api/v1/admin/workspaces/{segment(id)}/update-users",
                json={"userIds": user_ids},
            ),
        )

    def list_workspace_members(
        self,
        id: int,
    ) -> ListWorkspaceMembersReply:
        """List the members of a workspace.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "ListWorkspaceMembersReply",
            self._request_json(
                "GET",
                f"/api/v1/admin/workspaces/{segment(id)}/users",
            ),
        )

    def add_workspace_members(
        self,
        slug: str,
        *,
        user_ids: list[int],
        reset: bool | NotGiven = NOT_GIVEN,
    ) -> AddWorkspaceMembersReply:
        """Add or replace the members of a workspace.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "AddWorkspaceMembersReply",
            self._request_json(
                "POST",
                f"/api/v1/admin/workspaces/{segment(slug)}/manage-users",
                json={"userIds": user_ids, "reset": reset},
            ),
        )

    def check_key(
        self,
    ) -> CheckKeyReply:
        """Check whether the API key is valid.

        Needs a key with the scope `read`."""
        return cast(
            "CheckKeyReply",
            self._request_json(
                "GET",
                "/api/v1/auth",
            ),
        )

    def list_accepted_file_types(
        self,
    ) -> ListAcceptedFileTypesReply:
        """List the MIME types and extensions that can be parsed.

        Needs a key with the scope `read`."""
        return cast(
            "ListAcceptedFileTypesReply",
            self._request_json(
                "GET",
                "/api/v1/document/accepted-file-types",
            ),
        )

    def create_folder(
        self,
        *,
        name: str,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> CreateFolderReply:
        """Create a folder.

        Needs a key with the scope `documents`."""
        return cast(
            "CreateFolderReply",
            self._request_json(
                "POST",
                "/api/v1/document/create-folder",
                headers={"Idempotency-Key": idempotency_key},
                json={"name": name},
            ),
        )

    def download_generated_file(
        self,
        filename: str,
    ) -> bytes:
        """Download a file generated by an agent.

        Needs a key with the scope `read`."""
        return self._request_bytes(
            "GET",
            f"/api/v1/document/generated-files/{segment(filename)}",
        )

    def get_metadata_schema(
        self,
    ) -> GetMetadataSchemaReply:
        """Get the metadata schema for raw text.

        Needs a key with the scope `read`."""
        return cast(
            "GetMetadataSchemaReply",
            self._request_json(
                "GET",
                "/api/v1/document/metadata-schema",
            ),
        )

    def move_documents(
        self,
        *,
        files: list[MoveDocumentsFile],
    ) -> CreateFolderReply:
        """Move documents to other folders, except those that workspaces use.

        Needs a key with the scope `documents`."""
        return cast(
            "CreateFolderReply",
            self._request_json(
                "POST",
                "/api/v1/document/move-files",
                json={"files": files},
            ),
        )

    def add_text(
        self,
        *,
        text_content: str | None | NotGiven = NOT_GIVEN,
        metadata: AddTextMetadata | None | NotGiven = NOT_GIVEN,
        add_to_workspaces: str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> AddTextReply:
        """Create a document from text.

        Needs a key with the scope `documents`."""
        return cast(
            "AddTextReply",
            self._request_json(
                "POST",
                "/api/v1/document/raw-text",
                headers={"Idempotency-Key": idempotency_key},
                json={"textContent": text_content, "metadata": metadata, "addToWorkspaces": add_to_workspaces},
            ),
        )

    def remove_folder(
        self,
        *,
        name: str,
    ) -> RemoveFolderReply:
        """Delete a folder and every document in it.

        Needs a key with the scope `documents`."""
        return cast(
            "RemoveFolderReply",
            self._request_json(
                "DELETE",
                "/api/v1/document/remove-folder",
                json={"name": name},
            ),
        )

    def upload_document(
        self,
        *,
        file: FileContent,
        metadata: str | NotGiven = NOT_GIVEN,
        add_to_workspaces: str | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> AddTextReply:
        """Upload a file into the library (multipart field file).

        Needs a key with the scope `documents`."""
        return cast(
            "AddTextReply",
            self._request_json(
                "POST",
                "/api/v1/document/upload",
                headers={"Idempotency-Key": idempotency_key},
                files={"file": file},
                form={"metadata": metadata, "addToWorkspaces": add_to_workspaces},
            ),
        )

    def upload_link(
        self,
        *,
        link: str | NotGiven = NOT_GIVEN,
        add_to_workspaces: str | None | NotGiven = NOT_GIVEN,
        scraper_headers: dict[str, str] | None | NotGiven = NOT_GIVEN,
        metadata: UploadLinkMetadata | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> AddTextReply:
        """Fetch a web page into the library.

        Needs a key with the scope `documents`."""
        return cast(
            "AddTextReply",
            self._request_json(
                "POST",
                "/api/v1/document/upload-link",
                headers={"Idempotency-Key": idempotency_key},
                json={"link": link, "addToWorkspaces": add_to_workspaces, "scraperHeaders": scraper_headers, "metadata": metadata},
            ),
        )

    def upload_document_to_folder(
        self,
        folder_name: str,
        *,
        file: FileContent,
        metadata: str | NotGiven = NOT_GIVEN,
        add_to_workspaces: str | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> AddTextReply:
        """Upload a file to a folder, creating it if missing.

        Needs a key with the scope `documents`."""
        return cast(
            "AddTextReply",
            self._request_json(
                "POST",
                f"/api/v1/document/upload/{segment(folder_name)}",
                headers={"Idempotency-Key": idempotency_key},
                files={"file": file},
                form={"metadata": metadata, "addToWorkspaces": add_to_workspaces},
            ),
        )

    def get_document(
        self,
        doc_name: str,
    ) -> GetDocumentReply:
        """Get a document by file name.

        Needs a key with the scope `read`."""
        return cast(
            "GetDocumentReply",
            self._request_json(
                "GET",
                f"/api/v1/document/{segment(doc_name)}",
            ),
        )

    def list_documents(
        self,
        *,
        folder: str | NotGiven = NOT_GIVEN,
        offset: int | NotGiven = NOT_GIVEN,
        limit: Literal["all"] | int | NotGiven = NOT_GIVEN,
    ) -> ListDocumentsReply1 | ListDocumentsReply2:
        """Get the library: the full tree, or a page of one folder.

        Needs a key with the scope `read`."""
        return cast(
            "ListDocumentsReply1 | ListDocumentsReply2",
            self._request_json(
                "GET",
                "/api/v1/documents",
                query={"folder": folder, "offset": offset, "limit": limit},
            ),
        )

    def list_folder(
        self,
        name: str,
        *,
        offset: int | NotGiven = NOT_GIVEN,
        limit: Literal["all"] | int | NotGiven = NOT_GIVEN,
    ) -> ListFolderReply:
        """List the documents of a folder.

        Needs a key with the scope `read`."""
        return cast(
            "ListFolderReply",
            self._request_json(
                "GET",
                f"/api/v1/documents/folder/{segment(name)}",
                query={"offset": offset, "limit": limit},
            ),
        )

    def list_widgets(
        self,
    ) -> ListWidgetsReply:
        """List the chat widgets.

        Needs a key with the scope `read`."""
        return cast(
            "ListWidgetsReply",
            self._request_json(
                "GET",
                "/api/v1/embed",
            ),
        )

    def create_widget(
        self,
        *,
        workspace_id: int | NotGiven = NOT_GIVEN,
        enabled: bool | NotGiven = NOT_GIVEN,
        chat_mode: Literal["chat"] | Literal["query"] | NotGiven = NOT_GIVEN,
        allowlist_domains: str | list[str] | None | NotGiven = NOT_GIVEN,
        allow_model_override: bool | NotGiven = NOT_GIVEN,
        allow_temperature_override: bool | NotGiven = NOT_GIVEN,
        allow_prompt_override: bool | NotGiven = NOT_GIVEN,
        max_chats_per_day: int | None | NotGiven = NOT_GIVEN,
        max_chats_per_session: int | None | NotGiven = NOT_GIVEN,
        message_limit: float | str | None | NotGiven = NOT_GIVEN,
        name: str | None | NotGiven = NOT_GIVEN,
        max_chats_per_visitor: int | None | NotGiven = NOT_GIVEN,
        max_chats_per_address: int | None | NotGiven = NOT_GIVEN,
        max_message_length: float | str | None | NotGiven = NOT_GIVEN,
        limit_messages: dict[str, str | None] | NotGiven = NOT_GIVEN,
        show_sources: bool | NotGiven = NOT_GIVEN,
        allow_any_origin: bool | NotGiven = NOT_GIVEN,
        only_signed_visitors: bool | NotGiven = NOT_GIVEN,
        page_enabled: bool | NotGiven = NOT_GIVEN,
        greeting: str | None | NotGiven = NOT_GIVEN,
        suggested_messages: list[str] | NotGiven = NOT_GIVEN,
        appearance: dict[str, str | None] | NotGiven = NOT_GIVEN,
        workspace_slug: str | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> CreateWidgetReply:
        """Create a chat widget.

        Needs a key with the scope `admin`."""
        return cast(
            "CreateWidgetReply",
            self._request_json(
                "POST",
                "/api/v1/embed/new",
                headers={"Idempotency-Key": idempotency_key},
                json={"workspace_id": workspace_id, "enabled": enabled, "chat_mode": chat_mode, "allowlist_domains": allowlist_domains, "allow_model_override": allow_model_override, "allow_temperature_override": allow_temperature_override, "allow_prompt_override": allow_prompt_override, "max_chats_per_day": max_chats_per_day, "max_chats_per_session": max_chats_per_session, "message_limit": message_limit, "name": name, "max_chats_per_visitor": max_chats_per_visitor, "max_chats_per_address": max_chats_per_address, "max_message_length": max_message_length, "limit_messages": limit_messages, "show_sources": show_sources, "allow_any_origin": allow_any_origin, "only_signed_visitors": only_signed_visitors, "page_enabled": page_enabled, "greeting": greeting, "suggested_messages": suggested_messages, "appearance": appearance, "workspace_slug": workspace_slug},
            ),
        )

    def delete_widget(
        self,
        uuid: str,
        *,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> DisableInviteReply:
        """Delete a chat widget and its chats.

        Needs a key with the scope `admin`."""
        return cast(
            "DisableInviteReply",
            self._request_json(
                "DELETE",
                f"/api/v1/embed/{segment(uuid)}",
                headers={"Idempotency-Key": idempotency_key},
            ),
        )

    def update_widget(
        self,
        uuid: str,
        *,
        workspace_id: int | NotGiven = NOT_GIVEN,
        enabled: bool | NotGiven = NOT_GIVEN,
        chat_mode: Literal["chat"] | Literal["query"] | NotGiven = NOT_GIVEN,
        allowlist_domains: str | list[str] | None | NotGiven = NOT_GIVEN,
        allow_model_override: bool | NotGiven = NOT_GIVEN,
        allow_temperature_override: bool | NotGiven = NOT_GIVEN,
        allow_prompt_override: bool | NotGiven = NOT_GIVEN,
        max_chats_per_day: int | None | NotGiven = NOT_GIVEN,
        max_chats_per_session: int | None | NotGiven = NOT_GIVEN,
        message_limit: float | str | None | NotGiven = NOT_GIVEN,
        name: str | None | NotGiven = NOT_GIVEN,
        max_chats_per_visitor: int | None | NotGiven = NOT_GIVEN,
        max_chats_per_address: int | None | NotGiven = NOT_GIVEN,
        max_message_length: float | str | None | NotGiven = NOT_GIVEN,
        limit_messages: dict[str, str | None] | NotGiven = NOT_GIVEN,
        show_sources: bool | NotGiven = NOT_GIVEN,
        allow_any_origin: bool | NotGiven = NOT_GIVEN,
        only_signed_visitors: bool | NotGiven = NOT_GIVEN,
        page_enabled: bool | NotGiven = NOT_GIVEN,
        greeting: str | None | NotGiven = NOT_GIVEN,
        suggested_messages: list[str] | NotGiven = NOT_GIVEN,
        appearance: dict[str, str | None] | NotGiven = NOT_GIVEN,
    ) -> UpdateWidgetReply:
        """Change a chat widget; absent fields are unchanged.

        Needs a key with the scope `admin`."""
        return cast(
            "UpdateWidgetReply",
            self._request_json(
                "POST",
                f"/api/v1/embed/{segment(uuid)}",
                json={"workspace_id": workspace_id, "enabled": enabled, "chat_mode": chat_mode, "allowlist_domains": allowlist_domains, "allow_model_override": allow_model_override, "allow_temperature_override": allow_temperature_override, "allow_prompt_override": allow_prompt_override, "max_chats_per_day": max_chats_per_day, "max_chats_per_session": max_chats_per_session, "message_limit": message_limit, "name": name, "max_chats_per_visitor": max_chats_per_visitor, "max_chats_per_address": max_chats_per_address, "max_message_length": max_message_length, "limit_messages": limit_messages, "show_sources": show_sources, "allow_any_origin": allow_any_origin, "only_signed_visitors": only_signed_visitors, "page_enabled": page_enabled, "greeting": greeting, "suggested_messages": suggested_messages, "appearance": appearance},
            ),
        )

    def list_widget_chats(
        self,
        uuid: str,
        *,
        session_uuid: str | NotGiven = NOT_GIVEN,
    ) -> ListWidgetChatsReply:
        """List the chats of a widget.

        Needs a key with the scope `admin`."""
        return cast(
            "ListWidgetChatsReply",
            self._request_json(
                "GET",
                f"/api/v1/embed/{segment(uuid)}/chats",
                query={"sessionUuid": session_uuid},
            ),
        )

    def list_widget_session_chats(
        self,
        uuid: str,
        session_uuid: str,
    ) -> ListWidgetChatsReply:
        """List the chats of a visitor's session.

        Needs a key with the scope `admin`."""
        return cast(
            "ListWidgetChatsReply",
            self._request_json(
                "GET",
                f"/api/v1/embed/{segment(uuid)}/chats/{segment(session_uuid)}",
            ),
        )

    def cancel_flow_run(
        self,
        id: str,
    ) -> CancelFlowRunReply:
        """Cancel a run that was started with the API.

        Needs a key with the scope `chat`."""
        return cast(
            "CancelFlowRunReply",
            self._request_json(
                "DELETE",
                f"/api/v1/flow-runs/{segment(id)}",
            ),
        )

    def get_flow_run(
        self,
        id: str,
    ) -> GetFlowRunReply:
        """Get a run that was started with the API, with its blocks.

        Needs a key with the scope `read`."""
        return cast(
            "GetFlowRunReply",
            self._request_json(
                "GET",
                f"/api/v1/flow-runs/{segment(id)}",
            ),
        )

    def read_flow_run_result(
        self,
        id: str,
        path: str,
        *,
        from_: int | NotGiven = NOT_GIVEN,
    ) -> ReadFlowRunResultReply:
        """Read a block's whole result in a run that was started with the API, in pieces.

        Needs a key with the scope `read`."""
        return cast(
            "ReadFlowRunResultReply",
            self._request_json(
                "GET",
                f"/api/v1/flow-runs/{segment(id)}/blocks/{segment(path)}/result",
                query={"from": from_},
            ),
        )

    def list_flows(
        self,
    ) -> ListFlowsReply:
        """List the flows that can be run with the API.

        Needs a key with the scope `read`."""
        return cast(
            "ListFlowsReply",
            self._request_json(
                "GET",
                "/api/v1/flows",
            ),
        )

    def run_flow(
        self,
        id: str,
        *,
        inputs: dict[str, str] | NotGiven = NOT_GIVEN,
        stream: bool | NotGiven = NOT_GIVEN,
    ) -> RunFlowReply:
        """Run a flow; replies at its end, or after two minutes with the state so far, or as an event stream.

        Needs a key with the scope `chat`."""
        return cast(
            "RunFlowReply",
            self._request_json(
                "POST",
                f"/api/v1/flows/{segment(id)}/run",
                json={"inputs": inputs, "stream": stream},
            ),
        )

    def read_step(
        self,
        id: str,
        step: int,
    ) -> ReadStepReply:
        """Read the input and the result of a tool call, in an answer of the same key.

        Needs a key with the scope `chat`."""
        return cast(
            "ReadStepReply",
            self._request_json(
                "GET",
                f"/api/v1/generation/{segment(id)}/step/{segment(step)}",
            ),
        )

    def answer_step(
        self,
        id: str,
        step: int,
        *,
        answers: list[str | list[str] | None],
    ) -> CancelFlowRunReply:
        """Answer the questions of an agent, in an answer of the same key.

        Needs a key with the scope `chat`."""
        return cast(
            "CancelFlowRunReply",
            self._request_json(
                "POST",
                f"/api/v1/generation/{segment(id)}/step/{segment(step)}/answers",
                json={"answers": answers},
            ),
        )

    def decide_step(
        self,
        id: str,
        step: int,
        *,
        decision: Literal["once"] | Literal["run"] | Literal["denied"],
    ) -> CancelFlowRunReply:
        """Approve or deny a tool call that is waiting, in an answer of the same key.

        Needs a key with the scope `chat`."""
        return cast(
            "CancelFlowRunReply",
            self._request_json(
                "POST",
                f"/api/v1/generation/{segment(id)}/step/{segment(step)}/decision",
                json={"decision": decision},
            ),
        )

    def create_chat_completion(
        self,
        *,
        model: str,
        messages: list[CreateChatCompletionMessage],
        stream: bool | None | NotGiven = NOT_GIVEN,
        temperature: float | None | NotGiven = NOT_GIVEN,
        parallel_tool_calls: bool | None | NotGiven = NOT_GIVEN,
        tools: list[CreateChatCompletionTool] | None | NotGiven = NOT_GIVEN,
        tool_choice: Literal["auto"] | Literal["none"] | Literal["required"] | CreateChatCompletionToolChoice | None | NotGiven = NOT_GIVEN,
        response_format: CreateChatCompletionResponseFormat1 | CreateChatCompletionResponseFormatJsonSchema | None | NotGiven = NOT_GIVEN,
        max_completion_tokens: int | None | NotGiven = NOT_GIVEN,
        max_tokens: int | None | NotGiven = NOT_GIVEN,
        stream_options: CreateChatCompletionStreamOptions | None | NotGiven = NOT_GIVEN,
        n: Literal[1] | None | NotGiven = NOT_GIVEN,
    ) -> ChatCompletion:
        """Ask a workspace with OpenAI's Chat Completions API; the answer is an event stream if `stream` is true.

        Needs a key with the scope `chat`."""
        return cast(
            "ChatCompletion",
            self._request_json(
                "POST",
                "/api/v1/openai/chat/completions",
                json={"model": model, "stream": stream, "temperature": temperature, "parallel_tool_calls": parallel_tool_calls, "messages": messages, "tools": tools, "tool_choice": tool_choice, "response_format": response_format, "max_completion_tokens": max_completion_tokens, "max_tokens": max_tokens, "stream_options": stream_options, "n": n},
            ),
        )

    def create_embeddings(
        self,
        *,
        input: str | list[str] | list[int] | list[list[int]] | NotGiven = NOT_GIVEN,
        inputs: str | list[str] | list[int] | list[list[int]] | NotGiven = NOT_GIVEN,
        encoding_format: Literal["float"] | Literal["base64"] | None | NotGiven = NOT_GIVEN,
        dimensions: int | None | NotGiven = NOT_GIVEN,
    ) -> CreateEmbeddingsReply:
        """Embed texts with the instance's embedder.

        Needs a key with the scope `read`."""
        return cast(
            "CreateEmbeddingsReply",
            self._request_json(
                "POST",
                "/api/v1/openai/embeddings",
                json={"input": input, "inputs": inputs, "encoding_format": encoding_format, "dimensions": dimensions},
            ),
        )

    def list_models(
        self,
    ) -> ListModelsReply:
        """List workspaces as models of OpenAI's API.

        Needs a key with the scope `read`."""
        return cast(
            "ListModelsReply",
            self._request_json(
                "GET",
                "/api/v1/openai/models",
            ),
        )

    def get_model(
        self,
        slug: str,
    ) -> ListModelsReplyDataItem:
        """Get a workspace as a model of OpenAI's API.

        Needs a key with the scope `read`."""
        return cast(
            "ListModelsReplyDataItem",
            self._request_json(
                "GET",
                f"/api/v1/openai/models/{segment(slug)}",
            ),
        )

    def create_response(
        self,
        *,
        model: str,
        input: str | list[CreateResponseInputItemMessage | CreateResponseInputItemFunctionCall | CreateResponseInputItemFunctionCallOutput | CreateResponseInputItemReasoning],
        stream: bool | None | NotGiven = NOT_GIVEN,
        temperature: float | None | NotGiven = NOT_GIVEN,
        parallel_tool_calls: bool | None | NotGiven = NOT_GIVEN,
        instructions: str | None | NotGiven = NOT_GIVEN,
        tools: list[CreateResponseTool] | None | NotGiven = NOT_GIVEN,
        tool_choice: Literal["auto"] | Literal["none"] | Literal["required"] | CreateResponseToolChoice | None | NotGiven = NOT_GIVEN,
        text: CreateResponseText | None | NotGiven = NOT_GIVEN,
        max_output_tokens: int | None | NotGiven = NOT_GIVEN,
        previous_response_id: str | None | NotGiven = NOT_GIVEN,
        conversation: Any | NotGiven = NOT_GIVEN,
        background: bool | None | NotGiven = NOT_GIVEN,
    ) -> OpenAiResponse:
        """Ask a workspace with OpenAI's Responses API; the answer is an event stream if `stream` is true.

        Needs a key with the scope `chat`."""
        return cast(
            "OpenAiResponse",
            self._request_json(
                "POST",
                "/api/v1/openai/responses",
                json={"model": model, "stream": stream, "temperature": temperature, "parallel_tool_calls": parallel_tool_calls, "input": input, "instructions": instructions, "tools": tools, "tool_choice": tool_choice, "text": text, "max_output_tokens": max_output_tokens, "previous_response_id": previous_response_id, "conversation": conversation, "background": background},
            ),
        )

    def list_vector_stores(
        self,
    ) -> ListVectorStoresReply:
        """List workspaces as vector stores of OpenAI's API.

        Needs a key with the scope `read`."""
        return cast(
            "ListVectorStoresReply",
            self._request_json(
                "GET",
                "/api/v1/openai/vector_stores",
            ),
        )

    def list_schedules(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
    ) -> ListSchedulesReply:
        """List all schedules.

        Needs a key with the scope `read`."""
        return cast(
            "ListSchedulesReply",
            self._request_json(
                "GET",
                "/api/v1/schedules",
                query={"cursor": cursor, "limit": limit},
            ),
        )

    def delete_schedule(
        self,
        id: str,
    ) -> DeleteScheduleReply:
        """Delete a schedule and stop its run.

        Needs a key with the scope `admin`."""
        return cast(
            "DeleteScheduleReply",
            self._request_json(
                "DELETE",
                f"/api/v1/schedules/{segment(id)}",
            ),
        )

    def get_schedule(
        self,
        id: str,
    ) -> GetScheduleReply:
        """Get a schedule with its prompt, inputs and approvals.

        Needs a key with the scope `read`."""
        return cast(
            "GetScheduleReply",
            self._request_json(
                "GET",
                f"/api/v1/schedules/{segment(id)}",
            ),
        )

    def run_schedule(
        self,
        id: str,
        *,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> RunScheduleReply:
        """Run a schedule now.

        Needs a key with the scope `admin`."""
        return cast(
            "RunScheduleReply",
            self._request_json(
                "POST",
                f"/api/v1/schedules/{segment(id)}/run",
                headers={"Idempotency-Key": idempotency_key},
            ),
        )

    def get_settings(
        self,
    ) -> GetSettingsReply:
        """Get the instance's settings; secrets are booleans.

        Needs a key with the scope `read`."""
        return cast(
            "GetSettingsReply",
            self._request_json(
                "GET",
                "/api/v1/system",
            ),
        )

    def dump_settings(
        self,
    ) -> str:
        """Get the settings as environment variables; secrets are masked.

        Needs a key with the scope `admin`."""
        return self._request_text(
            "GET",
            "/api/v1/system/env-dump",
        )

    def export_recorded_chats(
        self,
        *,
        chat_type: Literal["workspace"] | Literal["embed"] | NotGiven = NOT_GIVEN,
        workspace_id: int | NotGiven = NOT_GIVEN,
        embed_id: int | NotGiven = NOT_GIVEN,
        session_id: str | NotGiven = NOT_GIVEN,
        user_id: Literal["none"] | int | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        time_zone: str | NotGiven = NOT_GIVEN,
        rating: Literal["good"] | Literal["bad"] | Literal["none"] | NotGiven = NOT_GIVEN,
        search: str | NotGiven = NOT_GIVEN,
        type_: Literal["csv"] | Literal["json"] | Literal["jsonl"] | Literal["jsonAlpaca"] | NotGiven = NOT_GIVEN,
    ) -> bytes:
        """Export recorded chats as csv, json, jsonl or jsonAlpaca.

        Needs a key with the scope `admin`."""
        return self._request_bytes(
            "GET",
            "/api/v1/system/export-chats",
            query={"chatType": chat_type, "workspaceId": workspace_id, "embedId": embed_id, "sessionId": session_id, "userId": user_id, "from": from_, "to": to, "timeZone": time_zone, "rating": rating, "search": search, "type": type_},
        )

    def remove_documents(
        self,
        *,
        names: list[str],
    ) -> RemoveFolderReply:
        """Delete documents by their docpath, from every workspace.

        Needs a key with the scope `documents`."""
        return cast(
            "RemoveFolderReply",
            self._request_json(
                "DELETE",
                "/api/v1/system/remove-documents",
                json={"names": names},
            ),
        )

    def update_settings(
        self,
        *,
        body: dict[str, str | None],
    ) -> UpdateSettingsReply:
        """Update instance settings.

        Needs a key with the scope `admin`."""
        return cast(
            "UpdateSettingsReply",
            self._request_json(
                "POST",
                "/api/v1/system/update-env",
                json=body,
            ),
        )

    def count_vectors(
        self,
    ) -> CountVectorsReply:
        """Count the vectors of all workspaces that the key may use.

        Needs a key with the scope `read`."""
        return cast(
            "CountVectorsReply",
            self._request_json(
                "GET",
                "/api/v1/system/vector-count",
            ),
        )

    def list_users(
        self,
    ) -> ListUsersReply:
        """List users by id, name and role.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "ListUsersReply",
            self._request_json(
                "GET",
                "/api/v1/users",
            ),
        )

    def issue_sign_in_token(
        self,
        id: int,
    ) -> IssueSignInTokenReply:
        """Issue a one-time sign-in token for a user (simple SSO).

        Needs a key with the scope `admin`."""
        return cast(
            "IssueSignInTokenReply",
            self._request_json(
                "GET",
                f"/api/v1/users/{segment(id)}/issue-auth-token",
            ),
        )

    def create_webhook(
        self,
        *,
        url: str,
        events: list[Literal["document.ready"] | Literal["document.failed"] | Literal["answer.finished"] | Literal["sync.stopped"]],
        description: str | NotGiven = NOT_GIVEN,
        workspace_ids: list[int] | None | NotGiven = NOT_GIVEN,
        enabled: bool | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> CreateWebhookReply:
        """Create a webhook; the reply is the only one with its signing secret.

        Needs a key with the scope `admin`."""
        return cast(
            "CreateWebhookReply",
            self._request_json(
                "POST",
                "/api/v1/webhooks",
                headers={"Idempotency-Key": idempotency_key},
                json={"url": url, "description": description, "events": events, "workspaceIds": workspace_ids, "enabled": enabled},
            ),
        )

    def list_webhooks(
        self,
    ) -> ListWebhooksReply:
        """List webhooks.

        Needs a key with the scope `admin`."""
        return cast(
            "ListWebhooksReply",
            self._request_json(
                "GET",
                "/api/v1/webhooks",
            ),
        )

    def delete_webhook(
        self,
        id: int,
    ) -> CancelFlowRunReply:
        """Delete a webhook and its deliveries.

        Needs a key with the scope `admin`."""
        return cast(
            "CancelFlowRunReply",
            self._request_json(
                "DELETE",
                f"/api/v1/webhooks/{segment(id)}",
            ),
        )

    def update_webhook(
        self,
        id: int,
        *,
        url: str,
        events: list[Literal["document.ready"] | Literal["document.failed"] | Literal["answer.finished"] | Literal["sync.stopped"]],
        description: str | NotGiven = NOT_GIVEN,
        workspace_ids: list[int] | None | NotGiven = NOT_GIVEN,
        enabled: bool | NotGiven = NOT_GIVEN,
    ) -> UpdateWebhookReply:
        """Change a webhook.

        Needs a key with the scope `admin`."""
        return cast(
            "UpdateWebhookReply",
            self._request_json(
                "PUT",
                f"/api/v1/webhooks/{segment(id)}",
                json={"url": url, "description": description, "events": events, "workspaceIds": workspace_ids, "enabled": enabled},
            ),
        )

    def list_webhook_deliveries(
        self,
        id: int,
        *,
        state: Literal["pending"] | Literal["delivered"] | Literal["failed"] | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
    ) -> ListWebhookDeliveriesReply:
        """List a webhook's deliveries of the last 30 days, newest first.

        Needs a key with the scope `admin`."""
        return cast(
            "ListWebhookDeliveriesReply",
            self._request_json(
                "GET",
                f"/api/v1/webhooks/{segment(id)}/deliveries",
                query={"state": state, "cursor": cursor, "limit": limit},
            ),
        )

    def replay_webhook_delivery(
        self,
        id: int,
        delivery_id: str,
    ) -> CancelFlowRunReply:
        """Send a delivery again, with the same id and payload.

        Needs a key with the scope `admin`."""
        return cast(
            "CancelFlowRunReply",
            self._request_json(
                "POST",
                f"/api/v1/webhooks/{segment(id)}/deliveries/{segment(delivery_id)}/replay",
            ),
        )

    def rotate_webhook_secret(
        self,
        id: int,
        *,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> RotateWebhookSecretReply:
        """Replace a webhook's signing secret; the old one stops working at once.

        Needs a key with the scope `admin`."""
        return cast(
            "RotateWebhookSecretReply",
            self._request_json(
                "POST",
                f"/api/v1/webhooks/{segment(id)}/secret",
                headers={"Idempotency-Key": idempotency_key},
            ),
        )

    def test_webhook(
        self,
        id: int,
        *,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> TestWebhookReply:
        """Send a test event to a webhook.

        Needs a key with the scope `admin`."""
        return cast(
            "TestWebhookReply",
            self._request_json(
                "POST",
                f"/api/v1/webhooks/{segment(id)}/test",
                headers={"Idempotency-Key": idempotency_key},
            ),
        )

    def create_workspace(
        self,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
        open_ai_temp: float | str | None | NotGiven = NOT_GIVEN,
        open_ai_history: float | str | None | NotGiven = NOT_GIVEN,
        open_ai_prompt: str | None | NotGiven = NOT_GIVEN,
        similarity_threshold: float | str | None | NotGiven = NOT_GIVEN,
        top_n: float | str | None | NotGiven = NOT_GIVEN,
        chat_mode: str | None | NotGiven = NOT_GIVEN,
        chat_provider: str | None | NotGiven = NOT_GIVEN,
        chat_model: str | None | NotGiven = NOT_GIVEN,
        agent_provider: str | None | NotGiven = NOT_GIVEN,
        agent_model: str | None | NotGiven = NOT_GIVEN,
        query_refusal_response: str | None | NotGiven = NOT_GIVEN,
        vector_search_mode: str | None | NotGiven = NOT_GIVEN,
        last_updated_at: str | float | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> CreateWorkspaceReply:
        """Create a workspace with its settings.

        Needs a key with the scope `admin`."""
        return cast(
            "CreateWorkspaceReply",
            self._request_json(
                "POST",
                "/api/v1/workspace/new",
                headers={"Idempotency-Key": idempotency_key},
                json={"name": name, "openAiTemp": open_ai_temp, "openAiHistory": open_ai_history, "openAiPrompt": open_ai_prompt, "similarityThreshold": similarity_threshold, "topN": top_n, "chatMode": chat_mode, "chatProvider": chat_provider, "chatModel": chat_model, "agentProvider": agent_provider, "agentModel": agent_model, "queryRefusalResponse": query_refusal_response, "vectorSearchMode": vector_search_mode, "lastUpdatedAt": last_updated_at},
            ),
        )

    def delete_workspace(
        self,
        slug: str,
    ) -> str:
        """Delete a workspace, its threads and its vectors; source files are kept.

        Needs a key with the scope `admin`."""
        return self._request_text(
            "DELETE",
            f"/api/v1/workspace/{segment(slug)}",
        )

    def get_workspace(
        self,
        slug: str,
    ) -> GetWorkspaceReply:
        """Get a workspace with its documents and threads.

        Needs a key with the scope `read`."""
        return cast(
            "GetWorkspaceReply",
            self._request_json(
                "GET",
                f"/api/v1/workspace/{segment(slug)}",
            ),
        )

    def chat(
        self,
        slug: str,
        *,
        message: str | NotGiven = NOT_GIVEN,
        mode: Literal["chat"] | Literal["query"] | Literal["automatic"] | Literal["agent"] | NotGiven = NOT_GIVEN,
        attachments: list[ChatAttachment] | None | NotGiven = NOT_GIVEN,
        reset: bool | None | NotGiven = NOT_GIVEN,
        session_id: str | float | None | NotGiven = NOT_GIVEN,
    ) -> ChatAnswer:
        """Ask a question; the reply is the complete answer.

        Needs a key with the scope `chat`."""
        return cast(
            "ChatAnswer",
            self._request_json(
                "POST",
                f"/api/v1/workspace/{segment(slug)}/chat",
                json={"message": message, "mode": mode, "attachments": attachments, "reset": reset, "sessionId": session_id},
            ),
        )

    def list_chats(
        self,
        slug: str,
        *,
        api_session_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        order_by: Literal["asc"] | Literal["desc"] | NotGiven = NOT_GIVEN,
    ) -> ListChatsReply:
        """List chats of a workspace, or of one API session.

        Needs a key with the scope `read`."""
        return cast(
            "ListChatsReply",
            self._request_json(
                "GET",
                f"/api/v1/workspace/{segment(slug)}/chats",
                query={"apiSessionId": api_session_id, "limit": limit, "orderBy": order_by},
            ),
        )

    def create_schedule(
        self,
        slug: str,
        *,
        name: str,
        work: CreateScheduleWork1 | CreateScheduleWork2 | CreateScheduleWork3,
        timing: ListSchedulesReplyScheduleTiming1 | ListSchedulesReplyScheduleTiming2,
        missed: Literal["once"] | Literal["skip"] | NotGiven = NOT_GIVEN,
        delivery: CreateScheduleDelivery | NotGiven = NOT_GIVEN,
        approvals: list[GetScheduleReplyScheduleApproval] | NotGiven = NOT_GIVEN,
        owner_id: int | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> CreateScheduleReply:
        """Schedule a prompt, an agent or a flow in a workspace.

        Needs a key with the scope `admin`."""
        return cast(
            "CreateScheduleReply",
            self._request_json(
                "POST",
                f"/api/v1/workspace/{segment(slug)}/schedules",
                headers={"Idempotency-Key": idempotency_key},
                json={"name": name, "work": work, "timing": timing, "missed": missed, "delivery": delivery, "approvals": approvals, "ownerId": owner_id},
            ),
        )

    def stream_chat(
        self,
        slug: str,
        *,
        message: str | NotGiven = NOT_GIVEN,
        mode: Literal["chat"] | Literal["query"] | Literal["automatic"] | Literal["agent"] | NotGiven = NOT_GIVEN,
        attachments: list[ChatAttachment] | None | NotGiven = NOT_GIVEN,
        reset: bool | None | NotGiven = NOT_GIVEN,
        session_id: str | float | None | NotGiven = NOT_GIVEN,
        wait_seconds: int | None | NotGiven = NOT_GIVEN,
    ) -> Iterator[StreamFrame]:
        """Ask a question; the answer is an event stream.

        Needs a key with the scope `chat`."""
        return self._stream(
            "POST",
            f"/api/v1/workspace/{segment(slug)}/stream-chat",
            json={"message": message, "mode": mode, "attachments": attachments, "reset": reset, "sessionId": session_id, "waitSeconds": wait_seconds},
        )

    def create_thread(
        self,
        workspace_slug: str,
        *,
        user_id: int | None | NotGiven = NOT_GIVEN,
        name: str | None | NotGiven = NOT_GIVEN,
        slug: str | None | NotGiven = NOT_GIVEN,
    ) -> CreateThreadReply:
        """Create a thread, optionally for a user.

        Needs a key with the scope `chat`."""
        return cast(
            "CreateThreadReply",
            self._request_json(
                "POST",
                f"/api/v1/workspace/{segment(workspace_slug)}/thread/new",
                json={"userId": user_id, "name": name, "slug": slug},
            ),
        )

    def delete_thread(
        self,
        slug: str,
        thread_slug: str,
    ) -> str:
        """Delete a thread and its chats.

        Needs a key with the scope `chat`."""
        return self._request_text(
            "DELETE",
            f"/api/v1/workspace/{segment(slug)}/thread/{segment(thread_slug)}",
        )

    def chat_in_thread(
        self,
        slug: str,
        thread_slug: str,
        *,
        message: str | NotGiven = NOT_GIVEN,
        mode: Literal["chat"] | Literal["query"] | Literal["automatic"] | Literal["agent"] | NotGiven = NOT_GIVEN,
        attachments: list[ChatAttachment] | None | NotGiven = NOT_GIVEN,
        reset: bool | None | NotGiven = NOT_GIVEN,
        user_id: int | None | NotGiven = NOT_GIVEN,
    ) -> ChatAnswer:
        """Ask a question in a thread; the reply is the complete answer.

        Needs a key with the scope `chat`."""
        return cast(
            "ChatAnswer",
            self._request_json(
                "POST",
                f"/api/v1/workspace/{segment(slug)}/thread/{segment(thread_slug)}/chat",
                json={"message": message, "mode": mode, "attachments": attachments, "reset": reset, "userId": user_id},
            ),
        )

    def list_thread_chats(
        self,
        slug: str,
        thread_slug: str,
    ) -> ListChatsReply:
        """List the chats of a thread.

        Needs a key with the scope `read`."""
        return cast(
            "ListChatsReply",
            self._request_json(
                "GET",
                f"/api/v1/workspace/{segment(slug)}/thread/{segment(thread_slug)}/chats",
            ),
        )

    def stream_chat_in_thread(
        self,
        slug: str,
        thread_slug: str,
        *,
        message: str | NotGiven = NOT_GIVEN,
        mode: Literal["chat"] | Literal["query"] | Literal["automatic"] | Literal["agent"] | NotGiven = NOT_GIVEN,
        attachments: list[ChatAttachment] | None | NotGiven = NOT_GIVEN,
        reset: bool | None | NotGiven = NOT_GIVEN,
        user_id: int | None | NotGiven = NOT_GIVEN,
        wait_seconds: int | None | NotGiven = NOT_GIVEN,
    ) -> Iterator[StreamFrame]:
        """Ask a question in a thread; the answer is an event stream.

        Needs a key with the scope `chat`."""
        return self._stream(
            "POST",
            f"/api/v1/workspace/{segment(slug)}/thread/{segment(thread_slug)}/stream-chat",
            json={"message": message, "mode": mode, "attachments": attachments, "reset": reset, "userId": user_id, "waitSeconds": wait_seconds},
        )

    def update_thread(
        self,
        slug: str,
        thread_slug: str,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
    ) -> UpdateThreadReply:
        """Rename a thread.

        Needs a key with the scope `chat`."""
        return cast(
            "UpdateThreadReply",
            self._request_json(
                "POST",
                f"/api/v1/workspace/{segment(slug)}/thread/{segment(thread_slug)}/update",
                json={"name": name},
            ),
        )

    def update_workspace(
        self,
        slug: str,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
        open_ai_temp: float | str | None | NotGiven = NOT_GIVEN,
        open_ai_history: float | str | None | NotGiven = NOT_GIVEN,
        open_ai_prompt: str | None | NotGiven = NOT_GIVEN,
        similarity_threshold: float | str | None | NotGiven = NOT_GIVEN,
        top_n: float | str | None | NotGiven = NOT_GIVEN,
        chat_mode: str | None | NotGiven = NOT_GIVEN,
        chat_provider: str | None | NotGiven = NOT_GIVEN,
        chat_model: str | None | NotGiven = NOT_GIVEN,
        agent_provider: str | None | NotGiven = NOT_GIVEN,
        agent_model: str | None | NotGiven = NOT_GIVEN,
        query_refusal_response: str | None | NotGiven = NOT_GIVEN,
        vector_search_mode: str | None | NotGiven = NOT_GIVEN,
        last_updated_at: str | float | NotGiven = NOT_GIVEN,
    ) -> UpdateWorkspaceReply:
        """Update a workspace's name and settings.

        Needs a key with the scope `admin`."""
        return cast(
            "UpdateWorkspaceReply",
            self._request_json(
                "POST",
                f"/api/v1/workspace/{segment(slug)}/update",
                json={"name": name, "openAiTemp": open_ai_temp, "openAiHistory": open_ai_history, "openAiPrompt": open_ai_prompt, "similarityThreshold": similarity_threshold, "topN": top_n, "chatMode": chat_mode, "chatProvider": chat_provider, "chatModel": chat_model, "agentProvider": agent_provider, "agentModel": agent_model, "queryRefusalResponse": query_refusal_response, "vectorSearchMode": vector_search_mode, "lastUpdatedAt": last_updated_at},
            ),
        )

    def update_workspace_documents(
        self,
        slug: str,
        *,
        adds: list[str] | NotGiven = NOT_GIVEN,
        deletes: list[str] | NotGiven = NOT_GIVEN,
    ) -> UpdateWorkspaceDocumentsReply:
        """Add library documents to a workspace, or remove them.

        Needs a key with the scope `documents`."""
        return cast(
            "UpdateWorkspaceDocumentsReply",
            self._request_json(
                "POST",
                f"/api/v1/workspace/{segment(slug)}/update-embeddings",
                json={"adds": adds, "deletes": deletes},
            ),
        )

    def pin_document(
        self,
        slug: str,
        *,
        doc_path: str,
        pin_status: bool | NotGiven = NOT_GIVEN,
    ) -> PinDocumentReply:
        """Pin or unpin a document in a workspace.

        Needs a key with the scope `documents`."""
        return cast(
            "PinDocumentReply",
            self._request_json(
                "POST",
                f"/api/v1/workspace/{segment(slug)}/update-pin",
                json={"docPath": doc_path, "pinStatus": pin_status},
            ),
        )

    def search_workspace(
        self,
        slug: str,
        *,
        query: str | NotGiven = NOT_GIVEN,
        top_n: int | NotGiven = NOT_GIVEN,
        score_threshold: float | NotGiven = NOT_GIVEN,
        filter: SearchWorkspaceFilter | None | NotGiven = NOT_GIVEN,
    ) -> SearchWorkspaceReply:
        """Search the documents of a workspace.

        Needs a key with the scope `read`."""
        return cast(
            "SearchWorkspaceReply",
            self._request_json(
                "POST",
                f"/api/v1/workspace/{segment(slug)}/vector-search",
                json={"query": query, "topN": top_n, "scoreThreshold": score_threshold, "filter": filter},
            ),
        )

    def list_workspaces(
        self,
    ) -> ListWorkspacesReply:
        """List workspaces with their threads.

        Needs a key with the scope `read`."""
        return cast(
            "ListWorkspacesReply",
            self._request_json(
                "GET",
                "/api/v1/workspaces",
            ),
        )


class AsyncMethods(AsyncTransport):
    async def create_invite(
        self,
        *,
        workspace_ids: list[int] | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> CreateInviteReply:
        """Create an invite.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "CreateInviteReply",
            await self._request_json(
                "POST",
                "/api/v1/admin/invite/new",
                headers={"Idempotency-Key": idempotency_key},
                json={"workspaceIds": workspace_ids},
            ),
        )

    async def disable_invite(
        self,
        id: int,
    ) -> DisableInviteReply:
        """Disable an invite.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "DisableInviteReply",
            await self._request_json(
                "DELETE",
                f"/api/v1/admin/invite/{segment(id)}",
            ),
        )

    async def list_invites(
        self,
    ) -> ListInvitesReply:
        """List invites.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "ListInvitesReply",
            await self._request_json(
                "GET",
                "/api/v1/admin/invites",
            ),
        )

    async def is_multi_user_mode(
        self,
    ) -> IsMultiUserModeReply:
        """Check whether the instance has user accounts.

        Needs a key with the scope `read`."""
        return cast(
            "IsMultiUserModeReply",
            await self._request_json(
                "GET",
                "/api/v1/admin/is-multi-user-mode",
            ),
        )

    async def update_preferences(
        self,
        *,
        body: dict[str, Any],
    ) -> DisableInviteReply:
        """Set system preferences.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "DisableInviteReply",
            await self._request_json(
                "POST",
                "/api/v1/admin/preferences",
                json=body,
            ),
        )

    async def list_user_accounts(
        self,
    ) -> ListUserAccountsReply:
        """List users.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "ListUserAccountsReply",
            await self._request_json(
                "GET",
                "/api/v1/admin/users",
            ),
        )

    async def create_user(
        self,
        *,
        username: str | None | NotGiven = NOT_GIVEN,
        password: str | None | NotGiven = NOT_GIVEN,
        role: str | None | NotGiven = NOT_GIVEN,
        bio: str | None | NotGiven = NOT_GIVEN,
        daily_message_limit: Literal[""] | float | None | NotGiven = NOT_GIVEN,
        suspended: bool | Literal[0] | Literal[1] | Literal["0"] | Literal["1"] | Literal["true"] | Literal["false"] | NotGiven = NOT_GIVEN,
        email: str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> CreateUserReply:
        """Create a user.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "CreateUserReply",
            await self._request_json(
                "POST",
                "/api/v1/admin/users/new",
                headers={"Idempotency-Key": idempotency_key},
                json={"username": username, "password": password, "role": role, "bio": bio, "dailyMessageLimit": daily_message_limit, "suspended": suspended, "email": email},
            ),
        )

    async def delete_user(
        self,
        id: int,
    ) -> DisableInviteReply:
        """Delete a user.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "DisableInviteReply",
            await self._request_json(
                "DELETE",
                f"/api/v1/admin/users/{segment(id)}",
            ),
        )

    async def update_user(
        self,
        id: int,
        *,
        username: str | None | NotGiven = NOT_GIVEN,
        password: str | None | NotGiven = NOT_GIVEN,
        role: str | None | NotGiven = NOT_GIVEN,
        bio: str | None | NotGiven = NOT_GIVEN,
        daily_message_limit: Literal[""] | float | None | NotGiven = NOT_GIVEN,
        suspended: bool | Literal[0] | Literal[1] | Literal["0"] | Literal["1"] | Literal["true"] | Literal["false"] | NotGiven = NOT_GIVEN,
        email: str | None | NotGiven = NOT_GIVEN,
        current_password: str | NotGiven = NOT_GIVEN,
        code: str | NotGiven = NOT_GIVEN,
    ) -> DisableInviteReply:
        """Update a user.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "DisableInviteReply",
            await self._request_json(
                "POST",
                f"/api/v1/admin/users/{segment(id)}",
                json={"username": username, "password": password, "role": role, "bio": bio, "dailyMessageLimit": daily_message_limit, "suspended": suspended, "email": email, "currentPassword": current_password, "code": code},
            ),
        )

    async def list_recorded_chats(
        self,
        *,
        chat_type: Literal["workspace"] | Literal["embed"] | NotGiven = NOT_GIVEN,
        workspace_id: int | NotGiven = NOT_GIVEN,
        embed_id: int | NotGiven = NOT_GIVEN,
        session_id: str | NotGiven = NOT_GIVEN,
        user_id: Literal["none"] | int | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        time_zone: str | NotGiven = NOT_GIVEN,
        rating: Literal["good"] | Literal["bad"] | Literal["none"] | NotGiven = NOT_GIVEN,
        search: str | NotGiven = NOT_GIVEN,
        offset: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
    ) -> ListRecordedChatsReply:
        """List recorded chats, 20 per page.

        Needs a key with the scope `admin`."""
        return cast(
            "ListRecordedChatsReply",
            await self._request_json(
                "POST",
                "/api/v1/admin/workspace-chats",
                json={"chatType": chat_type, "workspaceId": workspace_id, "embedId": embed_id, "sessionId": session_id, "userId": user_id, "from": from_, "to": to, "timeZone": time_zone, "rating": rating, "search": search, "offset": offset, "limit": limit, "cursor": cursor},
            ),
        )

    async def replace_workspace_members(
        self,
        id: int,
        *,
        user_ids: list[int],
    ) -> DisableInviteReply:
        """Set the members of a workspace.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "DisableInviteReply",
            await self._request_json(
                "POST",
                f"/api/v1/admin/workspaces/{segment(id)}/update-users",
                json={"userIds": user_ids},
            ),
        )

    async def list_workspace_members(
        self,
        id: int,
    ) -> ListWorkspaceMembersReply:
        """List the members of a workspace.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "ListWorkspaceMembersReply",
            await self._request_json(
                "GET",
                f"/api/v1/admin/workspaces/{segment(id)}/users",
            ),
        )

    async def add_workspace_members(
        self,
        slug: str,
        *,
        user_ids: list[int],
        reset: bool | NotGiven = NOT_GIVEN,
    ) -> AddWorkspaceMembersReply:
        """Add or replace the members of a workspace.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "AddWorkspaceMembersReply",
            await self._request_json(
                "POST",
                f"/api/v1/admin/workspaces/{segment(slug)}/manage-users",
                json={"userIds": user_ids, "reset": reset},
            ),
        )

    async def check_key(
        self,
    ) -> CheckKeyReply:
        """Check whether the API key is valid.

        Needs a key with the scope `read`."""
        return cast(
            "CheckKeyReply",
            await self._request_json(
                "GET",
                "/api/v1/auth",
            ),
        )

    async def list_accepted_file_types(
        self,
    ) -> ListAcceptedFileTypesReply:
        """List the MIME types and extensions that can be parsed.

        Needs a key with the scope `read`."""
        return cast(
            "ListAcceptedFileTypesReply",
            await self._request_json(
                "GET",
                "/api/v1/document/accepted-file-types",
            ),
        )

    async def create_folder(
        self,
        *,
        name: str,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> CreateFolderReply:
        """Create a folder.

        Needs a key with the scope `documents`."""
        return cast(
            "CreateFolderReply",
            await self._request_json(
                "POST",
                "/api/v1/document/create-folder",
                headers={"Idempotency-Key": idempotency_key},
                json={"name": name},
            ),
        )

    async def download_generated_file(
        self,
        filename: str,
    ) -> bytes:
        """Download a file generated by an agent.

        Needs a key with the scope `read`."""
        return await self._request_bytes(
            "GET",
            f"/api/v1/document/generated-files/{segment(filename)}",
        )

    async def get_metadata_schema(
        self,
    ) -> GetMetadataSchemaReply:
        """Get the metadata schema for raw text.

        Needs a key with the scope `read`."""
        return cast(
            "GetMetadataSchemaReply",
            await self._request_json(
                "GET",
                "/api/v1/document/metadata-schema",
            ),
        )

    async def move_documents(
        self,
        *,
        files: list[MoveDocumentsFile],
    ) -> CreateFolderReply:
        """Move documents to other folders, except those that workspaces use.

        Needs a key with the scope `documents`."""
        return cast(
            "CreateFolderReply",
            await self._request_json(
                "POST",
                "/api/v1/document/move-files",
                json={"files": files},
            ),
        )

    async def add_text(
        self,
        *,
        text_content: str | None | NotGiven = NOT_GIVEN,
        metadata: AddTextMetadata | None | NotGiven = NOT_GIVEN,
        add_to_workspaces: str | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> AddTextReply:
        """Create a document from text.

        Needs a key with the scope `documents`."""
        return cast(
            "AddTextReply",
            await self._request_json(
                "POST",
                "/api/v1/document/raw-text",
                headers={"Idempotency-Key": idempotency_key},
                json={"textContent": text_content, "metadata": metadata, "addToWorkspaces": add_to_workspaces},
            ),
        )

    async def remove_folder(
        self,
        *,
        name: str,
    ) -> RemoveFolderReply:
        """Delete a folder and every document in it.

        Needs a key with the scope `documents`."""
        return cast(
            "RemoveFolderReply",
            await self._request_json(
                "DELETE",
                "/api/v1/document/remove-folder",
                json={"name": name},
            ),
        )

    async def upload_document(
        self,
        *,
        file: FileContent,
        metadata: str | NotGiven = NOT_GIVEN,
        add_to_workspaces: str | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> AddTextReply:
        """Upload a file into the library (multipart field file).

        Needs a key with the scope `documents`."""
        return cast(
            "AddTextReply",
            await self._request_json(
                "POST",
                "/api/v1/document/upload",
                headers={"Idempotency-Key": idempotency_key},
                files={"file": file},
                form={"metadata": metadata, "addToWorkspaces": add_to_workspaces},
            ),
        )

    async def upload_link(
        self,
        *,
        link: str | NotGiven = NOT_GIVEN,
        add_to_workspaces: str | None | NotGiven = NOT_GIVEN,
        scraper_headers: dict[str, str] | None | NotGiven = NOT_GIVEN,
        metadata: UploadLinkMetadata | None | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> AddTextReply:
        """Fetch a web page into the library.

        Needs a key with the scope `documents`."""
        return cast(
            "AddTextReply",
            await self._request_json(
                "POST",
                "/api/v1/document/upload-link",
                headers={"Idempotency-Key": idempotency_key},
                json={"link": link, "addToWorkspaces": add_to_workspaces, "scraperHeaders": scraper_headers, "metadata": metadata},
            ),
        )

    async def upload_document_to_folder(
        self,
        folder_name: str,
        *,
        file: FileContent,
        metadata: str | NotGiven = NOT_GIVEN,
        add_to_workspaces: str | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> AddTextReply:
        """Upload a file to a folder, creating it if missing.

        Needs a key with the scope `documents`."""
        return cast(
            "AddTextReply",
            await self._request_json(
                "POST",
                f"/api/v1/document/upload/{segment(folder_name)}",
                headers={"Idempotency-Key": idempotency_key},
                files={"file": file},
                form={"metadata": metadata, "addToWorkspaces": add_to_workspaces},
            ),
        )

    async def get_document(
        self,
        doc_name: str,
    ) -> GetDocumentReply:
        """Get a document by file name.

        Needs a key with the scope `read`."""
        return cast(
            "GetDocumentReply",
            await self._request_json(
                "GET",
                f"/api/v1/document/{segment(doc_name)}",
            ),
        )

    async def list_documents(
        self,
        *,
        folder: str | NotGiven = NOT_GIVEN,
        offset: int | NotGiven = NOT_GIVEN,
        limit: Literal["all"] | int | NotGiven = NOT_GIVEN,
    ) -> ListDocumentsReply1 | ListDocumentsReply2:
        """Get the library: the full tree, or a page of one folder.

        Needs a key with the scope `read`."""
        return cast(
            "ListDocumentsReply1 | ListDocumentsReply2",
            await self._request_json(
                "GET",
                "/api/v1/documents",
                query={"folder": folder, "offset": offset, "limit": limit},
            ),
        )

    async def list_folder(
        self,
        name: str,
        *,
        offset: int | NotGiven = NOT_GIVEN,
        limit: Literal["all"] | int | NotGiven = NOT_GIVEN,
    ) -> ListFolderReply:
        """List the documents of a folder.

        Needs a key with the scope `read`."""
        return cast(
            "ListFolderReply",
            await self._request_json(
                "GET",
                f"/api/v1/documents/folder/{segment(name)}",
                query={"offset": offset, "limit": limit},
            ),
        )

    async def list_widgets(
        self,
    ) -> ListWidgetsReply:
        """List the chat widgets.

        Needs a key with the scope `read`."""
        return cast(
            "ListWidgetsReply",
            await self._request_json(
                "GET",
                "/api/v1/embed",
            ),
        )

    async def create_widget(
        self,
        *,
        workspace_id: int | NotGiven = NOT_GIVEN,
        enabled: bool | NotGiven = NOT_GIVEN,
        chat_mode: Literal["chat"] | Literal["query"] | NotGiven = NOT_GIVEN,
        allowlist_domains: str | list[str] | None | NotGiven = NOT_GIVEN,
        allow_model_override: bool | NotGiven = NOT_GIVEN,
        allow_temperature_override: bool | NotGiven = NOT_GIVEN,
        allow_prompt_override: bool | NotGiven = NOT_GIVEN,
        max_chats_per_day: int | None | NotGiven = NOT_GIVEN,
        max_chats_per_session: int | None | NotGiven = NOT_GIVEN,
        message_limit: float | str | None | NotGiven = NOT_GIVEN,
        name: str | None | NotGiven = NOT_GIVEN,
        max_chats_per_visitor: int | None | NotGiven = NOT_GIVEN,
        max_chats_per_address: int | None | NotGiven = NOT_GIVEN,
        max_message_length: float | str | None | NotGiven = NOT_GIVEN,
        limit_messages: dict[str, str | None] | NotGiven = NOT_GIVEN,
        show_sources: bool | NotGiven = NOT_GIVEN,
        allow_any_origin: bool | NotGiven = NOT_GIVEN,
        only_signed_visitors: bool | NotGiven = NOT_GIVEN,
        page_enabled: bool | NotGiven = NOT_GIVEN,
        greeting: str | None | NotGiven = NOT_GIVEN,
        suggested_messages: list[str] | NotGiven = NOT_GIVEN,
        appearance: dict[str, str | None] | NotGiven = NOT_GIVEN,
        workspace_slug: str | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> CreateWidgetReply:
        """Create a chat widget.

        Needs a key with the scope `admin`."""
        return cast(
            "CreateWidgetReply",
            await self._request_json(
                "POST",
                "/api/v1/embed/new",
                headers={"Idempotency-Key": idempotency_key},
                json={"workspace_id": workspace_id, "enabled": enabled, "chat_mode": chat_mode, "allowlist_domains": allowlist_domains, "allow_model_override": allow_model_override, "allow_temperature_override": allow_temperature_override, "allow_prompt_override": allow_prompt_override, "max_chats_per_day": max_chats_per_day, "max_chats_per_session": max_chats_per_session, "message_limit": message_limit, "name": name, "max_chats_per_visitor": max_chats_per_visitor, "max_chats_per_address": max_chats_per_address, "max_message_length": max_message_length, "limit_messages": limit_messages, "show_sources": show_sources, "allow_any_origin": allow_any_origin, "only_signed_visitors": only_signed_visitors, "page_enabled": page_enabled, "greeting": greeting, "suggested_messages": suggested_messages, "appearance": appearance, "workspace_slug": workspace_slug},
            ),
        )

    async def delete_widget(
        self,
        uuid: str,
        *,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> DisableInviteReply:
        """Delete a chat widget and its chats.

        Needs a key with the scope `admin`."""
        return cast(
            "DisableInviteReply",
            await self._request_json(
                "DELETE",
                f"/api/v1/embed/{segment(uuid)}",
                headers={"Idempotency-Key": idempotency_key},
            ),
        )

    async def update_widget(
        self,
        uuid: str,
        *,
        workspace_id: int | NotGiven = NOT_GIVEN,
        enabled: bool | NotGiven = NOT_GIVEN,
        chat_mode: Literal["chat"] | Literal["query"] | NotGiven = NOT_GIVEN,
        allowlist_domains: str | list[str] | None | NotGiven = NOT_GIVEN,
        allow_model_override: bool | NotGiven = NOT_GIVEN,
        allow_temperature_override: bool | NotGiven = NOT_GIVEN,
        allow_prompt_override: bool | NotGiven = NOT_GIVEN,
        max_chats_per_day: int | None | NotGiven = NOT_GIVEN,
        max_chats_per_session: int | None | NotGiven = NOT_GIVEN,
        message_limit: float | str | None | NotGiven = NOT_GIVEN,
        name: str | None | NotGiven = NOT_GIVEN,
        max_chats_per_visitor: int | None | NotGiven = NOT_GIVEN,
        max_chats_per_address: int | None | NotGiven = NOT_GIVEN,
        max_message_length: float | str | None | NotGiven = NOT_GIVEN,
        limit_messages: dict[str, str | None] | NotGiven = NOT_GIVEN,
        show_sources: bool | NotGiven = NOT_GIVEN,
        allow_any_origin: bool | NotGiven = NOT_GIVEN,
        only_signed_visitors: bool | NotGiven = NOT_GIVEN,
        page_enabled: bool | NotGiven = NOT_GIVEN,
        greeting: str | None | NotGiven = NOT_GIVEN,
        suggested_messages: list[str] | NotGiven = NOT_GIVEN,
        appearance: dict[str, str | None] | NotGiven = NOT_GIVEN,
    ) -> UpdateWidgetReply:
        """Change a chat widget; absent fields are unchanged.

        Needs a key with the scope `admin`."""
        return cast(
            "UpdateWidgetReply",
            await self._request_json(
                "POST",
                f"/api/v1/embed/{segment(uuid)}",
                json={"workspace_id": workspace_id, "enabled": enabled, "chat_mode": chat_mode, "allowlist_domains": allowlist_domains, "allow_model_override": allow_model_override, "allow_temperature_override": allow_temperature_override, "allow_prompt_override": allow_prompt_override, "max_chats_per_day": max_chats_per_day, "max_chats_per_session": max_chats_per_session, "message_limit": message_limit, "name": name, "max_chats_per_visitor": max_chats_per_visitor, "max_chats_per_address": max_chats_per_address, "max_message_length": max_message_length, "limit_messages": limit_messages, "show_sources": show_sources, "allow_any_origin": allow_any_origin, "only_signed_visitors": only_signed_visitors, "page_enabled": page_enabled, "greeting": greeting, "suggested_messages": suggested_messages, "appearance": appearance},
            ),
        )

    async def list_widget_chats(
        self,
        uuid: str,
        *,
        session_uuid: str | NotGiven = NOT_GIVEN,
    ) -> ListWidgetChatsReply:
        """List the chats of a widget.

        Needs a key with the scope `admin`."""
        return cast(
            "ListWidgetChatsReply",
            await self._request_json(
                "GET",
                f"/api/v1/embed/{segment(uuid)}/chats",
                query={"sessionUuid": session_uuid},
            ),
        )

    async def list_widget_session_chats(
        self,
        uuid: str,
        session_uuid: str,
    ) -> ListWidgetChatsReply:
        """List the chats of a visitor's session.

        Needs a key with the scope `admin`."""
        return cast(
            "ListWidgetChatsReply",
            await self._request_json(
                "GET",
                f"/api/v1/embed/{segment(uuid)}/chats/{segment(session_uuid)}",
            ),
        )

    async def cancel_flow_run(
        self,
        id: str,
    ) -> CancelFlowRunReply:
        """Cancel a run that was started with the API.

        Needs a key with the scope `chat`."""
        return cast(
            "CancelFlowRunReply",
            await self._request_json(
                "DELETE",
                f"/api/v1/flow-runs/{segment(id)}",
            ),
        )

    async def get_flow_run(
        self,
        id: str,
    ) -> GetFlowRunReply:
        """Get a run that was started with the API, with its blocks.

        Needs a key with the scope `read`."""
        return cast(
            "GetFlowRunReply",
            await self._request_json(
                "GET",
                f"/api/v1/flow-runs/{segment(id)}",
            ),
        )

    async def read_flow_run_result(
        self,
        id: str,
        path: str,
        *,
        from_: int | NotGiven = NOT_GIVEN,
    ) -> ReadFlowRunResultReply:
        """Read a block's whole result in a run that was started with the API, in pieces.

        Needs a key with the scope `read`."""
        return cast(
            "ReadFlowRunResultReply",
            await self._request_json(
                "GET",
                f"/api/v1/flow-runs/{segment(id)}/blocks/{segment(path)}/result",
                query={"from": from_},
            ),
        )

    async def list_flows(
        self,
    ) -> ListFlowsReply:
        """List the flows that can be run with the API.

        Needs a key with the scope `read`."""
        return cast(
            "ListFlowsReply",
            await self._request_json(
                "GET",
                "/api/v1/flows",
            ),
        )

    async def run_flow(
        self,
        id: str,
        *,
        inputs: dict[str, str] | NotGiven = NOT_GIVEN,
        stream: bool | NotGiven = NOT_GIVEN,
    ) -> RunFlowReply:
        """Run a flow; replies at its end, or after two minutes with the state so far, or as an event stream.

        Needs a key with the scope `chat`."""
        return cast(
            "RunFlowReply",
            await self._request_json(
                "POST",
                f"/api/v1/flows/{segment(id)}/run",
                json={"inputs": inputs, "stream": stream},
            ),
        )

    async def read_step(
        self,
        id: str,
        step: int,
    ) -> ReadStepReply:
        """Read the input and the result of a tool call, in an answer of the same key.

        Needs a key with the scope `chat`."""
        return cast(
            "ReadStepReply",
            await self._request_json(
                "GET",
                f"/api/v1/generation/{segment(id)}/step/{segment(step)}",
            ),
        )

    async def answer_step(
        self,
        id: str,
        step: int,
        *,
        answers: list[str | list[str] | None],
    ) -> CancelFlowRunReply:
        """Answer the questions of an agent, in an answer of the same key.

        Needs a key with the scope `chat`."""
        return cast(
            "CancelFlowRunReply",
            await self._request_json(
                "POST",
                f"/api/v1/generation/{segment(id)}/step/{segment(step)}/answers",
                json={"answers": answers},
            ),
        )

    async def decide_step(
        self,
        id: str,
        step: int,
        *,
        decision: Literal["once"] | Literal["run"] | Literal["denied"],
    ) -> CancelFlowRunReply:
        """Approve or deny a tool call that is waiting, in an answer of the same key.

        Needs a key with the scope `chat`."""
        return cast(
            "CancelFlowRunReply",
            await self._request_json(
                "POST",
                f"/api/v1/generation/{segment(id)}/step/{segment(step)}/decision",
                json={"decision": decision},
            ),
        )

    async def create_chat_completion(
        self,
        *,
        model: str,
        messages: list[CreateChatCompletionMessage],
        stream: bool | None | NotGiven = NOT_GIVEN,
        temperature: float | None | NotGiven = NOT_GIVEN,
        parallel_tool_calls: bool | None | NotGiven = NOT_GIVEN,
        tools: list[CreateChatCompletionTool] | None | NotGiven = NOT_GIVEN,
        tool_choice: Literal["auto"] | Literal["none"] | Literal["required"] | CreateChatCompletionToolChoice | None | NotGiven = NOT_GIVEN,
        response_format: CreateChatCompletionResponseFormat1 | CreateChatCompletionResponseFormatJsonSchema | None | NotGiven = NOT_GIVEN,
        max_completion_tokens: int | None | NotGiven = NOT_GIVEN,
        max_tokens: int | None | NotGiven = NOT_GIVEN,
        stream_options: CreateChatCompletionStreamOptions | None | NotGiven = NOT_GIVEN,
        n: Literal[1] | None | NotGiven = NOT_GIVEN,
    ) -> ChatCompletion:
        """Ask a workspace with OpenAI's Chat Completions API; the answer is an event stream if `stream` is true.

        Needs a key with the scope `chat`."""
        return cast(
            "ChatCompletion",
            await self._request_json(
                "POST",
                "/api/v1/openai/chat/completions",
                json={"model": model, "stream": stream, "temperature": temperature, "parallel_tool_calls": parallel_tool_calls, "messages": messages, "tools": tools, "tool_choice": tool_choice, "response_format": response_format, "max_completion_tokens": max_completion_tokens, "max_tokens": max_tokens, "stream_options": stream_options, "n": n},
            ),
        )

    async def create_embeddings(
        self,
        *,
        input: str | list[str] | list[int] | list[list[int]] | NotGiven = NOT_GIVEN,
        inputs: str | list[str] | list[int] | list[list[int]] | NotGiven = NOT_GIVEN,
        encoding_format: Literal["float"] | Literal["base64"] | None | NotGiven = NOT_GIVEN,
        dimensions: int | None | NotGiven = NOT_GIVEN,
    ) -> CreateEmbeddingsReply:
        """Embed texts with the instance's embedder.

        Needs a key with the scope `read`."""
        return cast(
            "CreateEmbeddingsReply",
            await self._request_json(
                "POST",
                "/api/v1/openai/embeddings",
                json={"input": input, "inputs": inputs, "encoding_format": encoding_format, "dimensions": dimensions},
            ),
        )

    async def list_models(
        self,
    ) -> ListModelsReply:
        """List workspaces as models of OpenAI's API.

        Needs a key with the scope `read`."""
        return cast(
            "ListModelsReply",
            await self._request_json(
                "GET",
                "/api/v1/openai/models",
            ),
        )

    async def get_model(
        self,
        slug: str,
    ) -> ListModelsReplyDataItem:
        """Get a workspace as a model of OpenAI's API.

        Needs a key with the scope `read`."""
        return cast(
            "ListModelsReplyDataItem",
            await self._request_json(
                "GET",
                f"/api/v1/openai/models/{segment(slug)}",
            ),
        )

    async def create_response(
        self,
        *,
        model: str,
        input: str | list[CreateResponseInputItemMessage | CreateResponseInputItemFunctionCall | CreateResponseInputItemFunctionCallOutput | CreateResponseInputItemReasoning],
        stream: bool | None | NotGiven = NOT_GIVEN,
        temperature: float | None | NotGiven = NOT_GIVEN,
        parallel_tool_calls: bool | None | NotGiven = NOT_GIVEN,
        instructions: str | None | NotGiven = NOT_GIVEN,
        tools: list[CreateResponseTool] | None | NotGiven = NOT_GIVEN,
        tool_choice: Literal["auto"] | Literal["none"] | Literal["required"] | CreateResponseToolChoice | None | NotGiven = NOT_GIVEN,
        text: CreateResponseText | None | NotGiven = NOT_GIVEN,
        max_output_tokens: int | None | NotGiven = NOT_GIVEN,
        previous_response_id: str | None | NotGiven = NOT_GIVEN,
        conversation: Any | NotGiven = NOT_GIVEN,
        background: bool | None | NotGiven = NOT_GIVEN,
    ) -> OpenAiResponse:
        """Ask a workspace with OpenAI's Responses API; the answer is an event stream if `stream` is true.

        Needs a key with the scope `chat`."""
        return cast(
            "OpenAiResponse",
            await self._request_json(
                "POST",
                "/api/v1/openai/responses",
                json={"model": model, "stream": stream, "temperature": temperature, "parallel_tool_calls": parallel_tool_calls, "input": input, "instructions": instructions, "tools": tools, "tool_choice": tool_choice, "text": text, "max_output_tokens": max_output_tokens, "previous_response_id": previous_response_id, "conversation": conversation, "background": background},
            ),
        )

    async def list_vector_stores(
        self,
    ) -> ListVectorStoresReply:
        """List workspaces as vector stores of OpenAI's API.

        Needs a key with the scope `read`."""
        return cast(
            "ListVectorStoresReply",
            await self._request_json(
                "GET",
                "/api/v1/openai/vector_stores",
            ),
        )

    async def list_schedules(
        self,
        *,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
    ) -> ListSchedulesReply:
        """List all schedules.

        Needs a key with the scope `read`."""
        return cast(
            "ListSchedulesReply",
            await self._request_json(
                "GET",
                "/api/v1/schedules",
                query={"cursor": cursor, "limit": limit},
            ),
        )

    async def delete_schedule(
        self,
        id: str,
    ) -> DeleteScheduleReply:
        """Delete a schedule and stop its run.

        Needs a key with the scope `admin`."""
        return cast(
            "DeleteScheduleReply",
            await self._request_json(
                "DELETE",
                f"/api/v1/schedules/{segment(id)}",
            ),
        )

    async def get_schedule(
        self,
        id: str,
    ) -> GetScheduleReply:
        """Get a schedule with its prompt, inputs and approvals.

        Needs a key with the scope `read`."""
        return cast(
            "GetScheduleReply",
            await self._request_json(
                "GET",
                f"/api/v1/schedules/{segment(id)}",
            ),
        )

    async def run_schedule(
        self,
        id: str,
        *,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> RunScheduleReply:
        """Run a schedule now.

        Needs a key with the scope `admin`."""
        return cast(
            "RunScheduleReply",
            await self._request_json(
                "POST",
                f"/api/v1/schedules/{segment(id)}/run",
                headers={"Idempotency-Key": idempotency_key},
            ),
        )

    async def get_settings(
        self,
    ) -> GetSettingsReply:
        """Get the instance's settings; secrets are booleans.

        Needs a key with the scope `read`."""
        return cast(
            "GetSettingsReply",
            await self._request_json(
                "GET",
                "/api/v1/system",
            ),
        )

    async def dump_settings(
        self,
    ) -> str:
        """Get the settings as environment variables; secrets are masked.

        Needs a key with the scope `admin`."""
        return await self._request_text(
            "GET",
            "/api/v1/system/env-dump",
        )

    async def export_recorded_chats(
        self,
        *,
        chat_type: Literal["workspace"] | Literal["embed"] | NotGiven = NOT_GIVEN,
        workspace_id: int | NotGiven = NOT_GIVEN,
        embed_id: int | NotGiven = NOT_GIVEN,
        session_id: str | NotGiven = NOT_GIVEN,
        user_id: Literal["none"] | int | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        time_zone: str | NotGiven = NOT_GIVEN,
        rating: Literal["good"] | Literal["bad"] | Literal["none"] | NotGiven = NOT_GIVEN,
        search: str | NotGiven = NOT_GIVEN,
        type_: Literal["csv"] | Literal["json"] | Literal["jsonl"] | Literal["jsonAlpaca"] | NotGiven = NOT_GIVEN,
    ) -> bytes:
        """Export recorded chats as csv, json, jsonl or jsonAlpaca.

        Needs a key with the scope `admin`."""
        return await self._request_bytes(
            "GET",
            "/api/v1/system/export-chats",
            query={"chatType": chat_type, "workspaceId": workspace_id, "embedId": embed_id, "sessionId": session_id, "userId": user_id, "from": from_, "to": to, "timeZone": time_zone, "rating": rating, "search": search, "type": type_},
        )

    async def remove_documents(
        self,
        *,
        names: list[str],
    ) -> RemoveFolderReply:
        """Delete documents by their docpath, from every workspace.

        Needs a key with the scope `documents`."""
        return cast(
            "RemoveFolderReply",
            await self._request_json(
                "DELETE",
                "/api/v1/system/remove-documents",
                json={"names": names},
            ),
        )

    async def update_settings(
        self,
        *,
        body: dict[str, str | None],
    ) -> UpdateSettingsReply:
        """Update instance settings.

        Needs a key with the scope `admin`."""
        return cast(
            "UpdateSettingsReply",
            await self._request_json(
                "POST",
                "/api/v1/system/update-env",
                json=body,
            ),
        )

    async def count_vectors(
        self,
    ) -> CountVectorsReply:
        """Count the vectors of all workspaces that the key may use.

        Needs a key with the scope `read`."""
        return cast(
            "CountVectorsReply",
            await self._request_json(
                "GET",
                "/api/v1/system/vector-count",
            ),
        )

    async def list_users(
        self,
    ) -> ListUsersReply:
        """List users by id, name and role.

        Needs a key with the scope `admin`. Only in multi-user mode."""
        return cast(
            "ListUsersReply",
            await self._request_json(
                "GET",
                "/api/v1/users",
            ),
        )

    async def issue_sign_in_token(
        self,
        id: int,
    ) -> IssueSignInTokenReply:
        """Issue a one-time sign-in token for a user (simple SSO).

        Needs a key with the scope `admin`."""
        return cast(
            "IssueSignInTokenReply",
            await self._request_json(
                "GET",
                f"/api/v1/users/{segment(id)}/issue-auth-token",
            ),
        )

    async def create_webhook(
        self,
        *,
        url: str,
        events: list[Literal["document.ready"] | Literal["document.failed"] | Literal["answer.finished"] | Literal["sync.stopped"]],
        description: str | NotGiven = NOT_GIVEN,
        workspace_ids: list[int] | None | NotGiven = NOT_GIVEN,
        enabled: bool | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> CreateWebhookReply:
        """Create a webhook; the reply is the only one with its signing secret.

        Needs a key with the scope `admin`."""
        return cast(
            "CreateWebhookReply",
            await self._request_json(
                "POST",
                "/api/v1/webhooks",
                headers={"Idempotency-Key": idempotency_key},
                json={"url": url, "description": description, "events": events, "workspaceIds": workspace_ids, "enabled": enabled},
            ),
        )

    async def list_webhooks(
        self,
    ) -> ListWebhooksReply:
        """List webhooks.

        Needs a key with the scope `admin`."""
        return cast(
            "ListWebhooksReply",
            await self._request_json(
                "GET",
                "/api/v1/webhooks",
            ),
        )

    async def delete_webhook(
        self,
        id: int,
    ) -> CancelFlowRunReply:
        """Delete a webhook and its deliveries.

        Needs a key with the scope `admin`."""
        return cast(
            "CancelFlowRunReply",
            await self._request_json(
                "DELETE",
                f"/api/v1/webhooks/{segment(id)}",
            ),
        )

    async def update_webhook(
        self,
        id: int,
        *,
        url: str,
        events: list[Literal["document.ready"] | Literal["document.failed"] | Literal["answer.finished"] | Literal["sync.stopped"]],
        description: str | NotGiven = NOT_GIVEN,
        workspace_ids: list[int] | None | NotGiven = NOT_GIVEN,
        enabled: bool | NotGiven = NOT_GIVEN,
    ) -> UpdateWebhookReply:
        """Change a webhook.

        Needs a key with the scope `admin`."""
        return cast(
            "UpdateWebhookReply",
            await self._request_json(
                "PUT",
                f"/api/v1/webhooks/{segment(id)}",
                json={"url": url, "description": description, "events": events, "workspaceIds": workspace_ids, "enabled": enabled},
            ),
        )

    async def list_webhook_deliveries(
        self,
        id: int,
        *,
        state: Literal["pending"] | Literal["delivered"] | Literal["failed"] | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
    ) -> ListWebhookDeliveriesReply:
        """List a webhook's deliveries of the last 30 days, newest first.

        Needs a key with the scope `admin`."""
        return cast(
            "ListWebhookDeliveriesReply",
            await self._request_json(
                "GET",
                f"/api/v1/webhooks/{segment(id)}/deliveries",
                query={"state": state, "cursor": cursor, "limit": limit},
            ),
        )

    async def replay_webhook_delivery(
        self,
        id: int,
        delivery_id: str,
    ) -> CancelFlowRunReply:
        """Send a delivery again, with the same id and payload.

        Needs a key with the scope `admin`."""
        return cast(
            "CancelFlowRunReply",
            await self._request_json(
                "POST",
                f"/api/v1/webhooks/{segment(id)}/deliveries/{segment(delivery_id)}/replay",
            ),
        )

    async def rotate_webhook_secret(
        self,
        id: int,
        *,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> RotateWebhookSecretReply:
        """Replace a webhook's signing secret; the old one stops working at once.

        Needs a key with the scope `admin`."""
        return cast(
            "RotateWebhookSecretReply",
            await self._request_json(
                "POST",
                f"/api/v1/webhooks/{segment(id)}/secret",
                headers={"Idempotency-Key": idempotency_key},
            ),
        )

    async def test_webhook(
        self,
        id: int,
        *,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> TestWebhookReply:
        """Send a test event to a webhook.

        Needs a key with the scope `admin`."""
        return cast(
            "TestWebhookReply",
            await self._request_json(
                "POST",
                f"/api/v1/webhooks/{segment(id)}/test",
                headers={"Idempotency-Key": idempotency_key},
            ),
        )

    async def create_workspace(
        self,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
        open_ai_temp: float | str | None | NotGiven = NOT_GIVEN,
        open_ai_history: float | str | None | NotGiven = NOT_GIVEN,
        open_ai_prompt: str | None | NotGiven = NOT_GIVEN,
        similarity_threshold: float | str | None | NotGiven = NOT_GIVEN,
        top_n: float | str | None | NotGiven = NOT_GIVEN,
        chat_mode: str | None | NotGiven = NOT_GIVEN,
        chat_provider: str | None | NotGiven = NOT_GIVEN,
        chat_model: str | None | NotGiven = NOT_GIVEN,
        agent_provider: str | None | NotGiven = NOT_GIVEN,
        agent_model: str | None | NotGiven = NOT_GIVEN,
        query_refusal_response: str | None | NotGiven = NOT_GIVEN,
        vector_search_mode: str | None | NotGiven = NOT_GIVEN,
        last_updated_at: str | float | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> CreateWorkspaceReply:
        """Create a workspace with its settings.

        Needs a key with the scope `admin`."""
        return cast(
            "CreateWorkspaceReply",
            await self._request_json(
                "POST",
                "/api/v1/workspace/new",
                headers={"Idempotency-Key": idempotency_key},
                json={"name": name, "openAiTemp": open_ai_temp, "openAiHistory": open_ai_history, "openAiPrompt": open_ai_prompt, "similarityThreshold": similarity_threshold, "topN": top_n, "chatMode": chat_mode, "chatProvider": chat_provider, "chatModel": chat_model, "agentProvider": agent_provider, "agentModel": agent_model, "queryRefusalResponse": query_refusal_response, "vectorSearchMode": vector_search_mode, "lastUpdatedAt": last_updated_at},
            ),
        )

    async def delete_workspace(
        self,
        slug: str,
    ) -> str:
        """Delete a workspace, its threads and its vectors; source files are kept.

        Needs a key with the scope `admin`."""
        return await self._request_text(
            "DELETE",
            f"/api/v1/workspace/{segment(slug)}",
        )

    async def get_workspace(
        self,
        slug: str,
    ) -> GetWorkspaceReply:
        """Get a workspace with its documents and threads.

        Needs a key with the scope `read`."""
        return cast(
            "GetWorkspaceReply",
            await self._request_json(
                "GET",
                f"/api/v1/workspace/{segment(slug)}",
            ),
        )

    async def chat(
        self,
        slug: str,
        *,
        message: str | NotGiven = NOT_GIVEN,
        mode: Literal["chat"] | Literal["query"] | Literal["automatic"] | Literal["agent"] | NotGiven = NOT_GIVEN,
        attachments: list[ChatAttachment] | None | NotGiven = NOT_GIVEN,
        reset: bool | None | NotGiven = NOT_GIVEN,
        session_id: str | float | None | NotGiven = NOT_GIVEN,
    ) -> ChatAnswer:
        """Ask a question; the reply is the complete answer.

        Needs a key with the scope `chat`."""
        return cast(
            "ChatAnswer",
            await self._request_json(
                "POST",
                f"/api/v1/workspace/{segment(slug)}/chat",
                json={"message": message, "mode": mode, "attachments": attachments, "reset": reset, "sessionId": session_id},
            ),
        )

    async def list_chats(
        self,
        slug: str,
        *,
        api_session_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        order_by: Literal["asc"] | Literal["desc"] | NotGiven = NOT_GIVEN,
    ) -> ListChatsReply:
        """List chats of a workspace, or of one API session.

        Needs a key with the scope `read`."""
        return cast(
            "ListChatsReply",
            await self._request_json(
                "GET",
                f"/api/v1/workspace/{segment(slug)}/chats",
                query={"apiSessionId": api_session_id, "limit": limit, "orderBy": order_by},
            ),
        )

    async def create_schedule(
        self,
        slug: str,
        *,
        name: str,
        work: CreateScheduleWork1 | CreateScheduleWork2 | CreateScheduleWork3,
        timing: ListSchedulesReplyScheduleTiming1 | ListSchedulesReplyScheduleTiming2,
        missed: Literal["once"] | Literal["skip"] | NotGiven = NOT_GIVEN,
        delivery: CreateScheduleDelivery | NotGiven = NOT_GIVEN,
        approvals: list[GetScheduleReplyScheduleApproval] | NotGiven = NOT_GIVEN,
        owner_id: int | NotGiven = NOT_GIVEN,
        idempotency_key: str | NotGiven = NOT_GIVEN,
    ) -> CreateScheduleReply:
        """Schedule a prompt, an agent or a flow in a workspace.

        Needs a key with the scope `admin`."""
        return cast(
            "CreateScheduleReply",
            await self._request_json(
                "POST",
                f"/api/v1/workspace/{segment(slug)}/schedules",
                headers={"Idempotency-Key": idempotency_key},
                json={"name": name, "work": work, "timing": timing, "missed": missed, "delivery": delivery, "approvals": approvals, "ownerId": owner_id},
            ),
        )

    def stream_chat(
        self,
        slug: str,
        *,
        message: str | NotGiven = NOT_GIVEN,
        mode: Literal["chat"] | Literal["query"] | Literal["automatic"] | Literal["agent"] | NotGiven = NOT_GIVEN,
        attachments: list[ChatAttachment] | None | NotGiven = NOT_GIVEN,
        reset: bool | None | NotGiven = NOT_GIVEN,
        session_id: str | float | None | NotGiven = NOT_GIVEN,
        wait_seconds: int | None | NotGiven = NOT_GIVEN,
    ) -> AsyncIterator[StreamFrame]:
        """Ask a question; the answer is an event stream.

        Needs a key with the scope `chat`."""
        return self._stream(
            "POST",
            f"/api/v1/workspace/{segment(slug)}/stream-chat",
            json={"message": message, "mode": mode, "attachments": attachments, "reset": reset, "sessionId": session_id, "waitSeconds": wait_seconds},
        )

    async def create_thread(
        self,
        workspace_slug: str,
        *,
        user_id: int | None | NotGiven = NOT_GIVEN,
        name: str | None | NotGiven = NOT_GIVEN,
        slug: str | None | NotGiven = NOT_GIVEN,
    ) -> CreateThreadReply:
        """Create a thread, optionally for a user.

        Needs a key with the scope `chat`."""
        return cast(
            "CreateThreadReply",
            await self._request_json(
                "POST",
                f"/api/v1/workspace/{segment(workspace_slug)}/thread/new",
                json={"userId": user_id, "name": name, "slug": slug},
            ),
        )

    async def delete_thread(
        self,
        slug: str,
        thread_slug: str,
    ) -> str:
        """Delete a thread and its chats.

        Needs a key with the scope `chat`."""
        return await self._request_text(
            "DELETE",
            f"/api/v1/workspace/{segment(slug)}/thread/{segment(thread_slug)}",
        )

    async def chat_in_thread(
        self,
        slug: str,
        thread_slug: str,
        *,
        message: str | NotGiven = NOT_GIVEN,
        mode: Literal["chat"] | Literal["query"] | Literal["automatic"] | Literal["agent"] | NotGiven = NOT_GIVEN,
        attachments: list[ChatAttachment] | None | NotGiven = NOT_GIVEN,
        reset: bool | None | NotGiven = NOT_GIVEN,
        user_id: int | None | NotGiven = NOT_GIVEN,
    ) -> ChatAnswer:
        """Ask a question in a thread; the reply is the complete answer.

        Needs a key with the scope `chat`."""
        return cast(
            "ChatAnswer",
            await self._request_json(
                "POST",
                f"/api/v1/workspace/{segment(slug)}/thread/{segment(thread_slug)}/chat",
                json={"message": message, "mode": mode, "attachments": attachments, "reset": reset, "userId": user_id},
            ),
        )

    async def list_thread_chats(
        self,
        slug: str,
        thread_slug: str,
    ) -> ListChatsReply:
        """List the chats of a thread.

        Needs a key with the scope `read`."""
        return cast(
            "ListChatsReply",
            await self._request_json(
                "GET",
                f"/api/v1/workspace/{segment(slug)}/thread/{segment(thread_slug)}/chats",
            ),
        )

    def stream_chat_in_thread(
        self,
        slug: str,
        thread_slug: str,
        *,
        message: str | NotGiven = NOT_GIVEN,
        mode: Literal["chat"] | Literal["query"] | Literal["automatic"] | Literal["agent"] | NotGiven = NOT_GIVEN,
        attachments: list[ChatAttachment] | None | NotGiven = NOT_GIVEN,
        reset: bool | None | NotGiven = NOT_GIVEN,
        user_id: int | None | NotGiven = NOT_GIVEN,
        wait_seconds: int | None | NotGiven = NOT_GIVEN,
    ) -> AsyncIterator[StreamFrame]:
        """Ask a question in a thread; the answer is an event stream.

        Needs a key with the scope `chat`."""
        return self._stream(
            "POST",
            f"/api/v1/workspace/{segment(slug)}/thread/{segment(thread_slug)}/stream-chat",
            json={"message": message, "mode": mode, "attachments": attachments, "reset": reset, "userId": user_id, "waitSeconds": wait_seconds},
        )

    async def update_thread(
        self,
        slug: str,
        thread_slug: str,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
    ) -> UpdateThreadReply:
        """Rename a thread.

        Needs a key with the scope `chat`."""
        return cast(
            "UpdateThreadReply",
            await self._request_json(
                "POST",
                f"/api/v1/workspace/{segment(slug)}/thread/{segment(thread_slug)}/update",
                json={"name": name},
            ),
        )

    async def update_workspace(
        self,
        slug: str,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
        open_ai_temp: float | str | None | NotGiven = NOT_GIVEN,
        open_ai_history: float | str | None | NotGiven = NOT_GIVEN,
        open_ai_prompt: str | None | NotGiven = NOT_GIVEN,
        similarity_threshold: float | str | None | NotGiven = NOT_GIVEN,
        top_n: float | str | None | NotGiven = NOT_GIVEN,
        chat_mode: str | None | NotGiven = NOT_GIVEN,
        chat_provider: str | None | NotGiven = NOT_GIVEN,
        chat_model: str | None | NotGiven = NOT_GIVEN,
        agent_provider: str | None | NotGiven = NOT_GIVEN,
        agent_model: str | None | NotGiven = NOT_GIVEN,
        query_refusal_response: str | None | NotGiven = NOT_GIVEN,
        vector_search_mode: str | None | NotGiven = NOT_GIVEN,
        last_updated_at: str | float | NotGiven = NOT_GIVEN,
    ) -> UpdateWorkspaceReply:
        """Update a workspace's name and settings.

        Needs a key with the scope `admin`."""
        return cast(
            "UpdateWorkspaceReply",
            await self._request_json(
                "POST",
                f"/api/v1/workspace/{segment(slug)}/update",
                json={"name": name, "openAiTemp": open_ai_temp, "openAiHistory": open_ai_history, "openAiPrompt": open_ai_prompt, "similarityThreshold": similarity_threshold, "topN": top_n, "chatMode": chat_mode, "chatProvider": chat_provider, "chatModel": chat_model, "agentProvider": agent_provider, "agentModel": agent_model, "queryRefusalResponse": query_refusal_response, "vectorSearchMode": vector_search_mode, "lastUpdatedAt": last_updated_at},
            ),
        )

    async def update_workspace_documents(
        self,
        slug: str,
        *,
        adds: list[str] | NotGiven = NOT_GIVEN,
        deletes: list[str] | NotGiven = NOT_GIVEN,
    ) -> UpdateWorkspaceDocumentsReply:
        """Add library documents to a workspace, or remove them.

        Needs a key with the scope `documents`."""
        return cast(
            "UpdateWorkspaceDocumentsReply",
            await self._request_json(
                "POST",
                f"/api/v1/workspace/{segment(slug)}/update-embeddings",
                json={"adds": adds, "deletes": deletes},
            ),
        )

    async def pin_document(
        self,
        slug: str,
        *,
        doc_path: str,
        pin_status: bool | NotGiven = NOT_GIVEN,
    ) -> PinDocumentReply:
        """Pin or unpin a document in a workspace.

        Needs a key with the scope `documents`."""
        return cast(
            "PinDocumentReply",
            await self._request_json(
                "POST",
                f"/api/v1/workspace/{segment(slug)}/update-pin",
                json={"docPath": doc_path, "pinStatus": pin_status},
            ),
        )

    async def search_workspace(
        self,
        slug: str,
        *,
        query: str | NotGiven = NOT_GIVEN,
        top_n: int | NotGiven = NOT_GIVEN,
        score_threshold: float | NotGiven = NOT_GIVEN,
        filter: SearchWorkspaceFilter | None | NotGiven = NOT_GIVEN,
    ) -> SearchWorkspaceReply:
        """Search the documents of a workspace.

        Needs a key with the scope `read`."""
        return cast(
            "SearchWorkspaceReply",
            await self._request_json(
                "POST",
                f"/api/v1/workspace/{segment(slug)}/vector-search",
                json={"query": query, "topN": top_n, "scoreThreshold": score_threshold, "filter": filter},
            ),
        )

    async def list_workspaces(
        self,
    ) -> ListWorkspacesReply:
        """List workspaces with their threads.

        Needs a key with the scope `read`."""
        return cast(
            "ListWorkspacesReply",
            await self._request_json(
                "GET",
                "/api/v1/workspaces",
            ),
        )

import type { FormTexts } from "./en.ts";

export const ko: FormTexts = {
  "Import the pages of a space, with their attachments and who may see them.":
    "스페이스의 페이지를 첨부 파일 및 열람 권한 정보와 함께 가져옵니다.",
  Address: "주소",
  "The address of Confluence, or of any page in it.":
    "Confluence 또는 그 안에 있는 페이지의 주소입니다.",
  Deployment: "배포 방식",
  Cloud: "클라우드",
  "Self-hosted": "자체 호스팅",
  "Space key": "스페이스 키",
  "Include attachments": "첨부 파일 포함",
  "PDFs, Office files and texts.": "PDF, Office 파일, 텍스트.",
  "Include blog posts": "블로그 글 포함",
  "Maximum size of an attachment, in MB": "첨부 파일 최대 크기(MB)",
  "Accept any certificate": "모든 인증서 허용",
  "For a self-hosted server with a self-signed certificate.":
    "자체 서명 인증서를 쓰는 자체 호스팅 서버에 사용합니다.",
  Username: "사용자 이름",
  "On Confluence Cloud, your e-mail address. Not needed with a personal access token.":
    "Confluence Cloud에서는 이메일 주소입니다. 개인 액세스 토큰을 쓰면 필요하지 않습니다.",
  "API token or password": "API 토큰 또는 비밀번호",
  "Personal access token": "개인 액세스 토큰",
  "Self-hosted only; instead of a username.": "자체 호스팅 전용이며, 사용자 이름 대신 사용합니다.",
  "Import the pages of spaces, with their attachments.":
    "스페이스의 페이지를 첨부 파일과 함께 가져옵니다.",
  "Space IDs": "스페이스 ID",
  "One per line. Without any, every space that the token may read.":
    "한 줄에 하나씩 입력하세요. 비워 두면 토큰으로 읽을 수 있는 모든 스페이스를 가져옵니다.",
  "Access token": "액세스 토큰",
  "RSS or Atom feed": "RSS 또는 Atom 피드",
  "Import the entries of a feed, and new ones as they appear.":
    "피드의 글을 가져오고, 새 글이 올라오면 함께 가져옵니다.",
  "The address of the feed, or of a page that has one.":
    "피드 주소 또는 피드가 있는 페이지의 주소입니다.",
  "Import full pages": "전체 페이지 가져오기",
  "For feeds that only have summaries: imports the page each entry links to.":
    "요약만 있는 피드에 사용합니다. 각 글이 연결된 페이지를 가져옵니다.",
  "Maximum entries per import": "한 번에 가져올 최대 글 수",
  "Only for feeds that ask for a password.": "비밀번호를 요구하는 피드에만 사용합니다.",
  Password: "비밀번호",
  "Folder on the server": "서버 폴더",
  "Import the files of a folder that an admin has allowed.":
    "관리자가 허용한 폴더의 파일을 가져옵니다.",
  Folder: "폴더",
  "One of the allowed folders, or a folder in one of them.": "허용된 폴더 또는 그 안의 폴더입니다.",
  "Ignored files": "제외할 파일",
  "One pattern per line, as in .gitignore.": ".gitignore처럼 한 줄에 패턴 하나씩 입력하세요.",
  "Largest file, in MB": "최대 파일 크기(MB)",
  "Import the files of a repository on Gitea or Forgejo, and its issues and wiki if you want.":
    "Gitea 또는 Forgejo 저장소의 파일을 가져오고, 원하면 이슈와 위키도 가져옵니다.",
  Repository: "저장소",
  Branch: "브랜치",
  "The default branch if empty.": "비워 두면 기본 브랜치를 사용합니다.",
  "Include issues": "이슈 포함",
  "Each issue and its comments become one document.": "이슈마다 댓글과 함께 문서 하나가 됩니다.",
  "Include the wiki": "위키 포함",
  "Needed for private repositories. It may read repositories and issues.":
    "비공개 저장소에 필요합니다. 저장소와 이슈 읽기 권한이 있어야 합니다.",
  "Import the files of a repository, and its issues if you want.":
    "저장소의 파일을 가져오고, 원하면 이슈도 가져옵니다.",
  "Needed for private repositories. It may read contents, issues and metadata.":
    "비공개 저장소에 필요합니다. 콘텐츠, 이슈, 메타데이터 읽기 권한이 있어야 합니다.",
  "Import the files of a project, and its issues and wiki if you want.":
    "프로젝트의 파일을 가져오고, 원하면 이슈와 위키도 가져옵니다.",
  "Needed for private projects. Scope: read_api.": "비공개 프로젝트에 필요합니다. 범위: read_api.",
  "Mailbox (IMAP)": "메일함(IMAP)",
  "Import messages with their attachments. Everyone in the workspace can read them.":
    "메일을 첨부 파일과 함께 가져옵니다. 워크스페이스의 모든 사람이 읽을 수 있습니다.",
  Server: "서버",
  Folders: "폴더",
  "One per line. Without any, all folders but drafts, spam and trash.":
    "한 줄에 하나씩 입력하세요. 비워 두면 임시 보관함, 스팸, 휴지통을 뺀 모든 폴더를 가져옵니다.",
  Since: "시작 날짜",
  "Only messages that arrived on this day or later.": "이 날짜 이후에 도착한 메일만 가져옵니다.",
  Encryption: "암호화",
  "A server on this machine can do without.": "이 컴퓨터에 있는 서버라면 없어도 됩니다.",
  None: "없음",
  Port: "포트",
  "By default 993, or 143 without TLS from the start.":
    "기본값은 993이며, 처음부터 TLS를 쓰지 않으면 143입니다.",
  "Largest message, in MB": "최대 메일 크기(MB)",
  "For a server with a self-signed certificate.": "자체 서명 인증서를 쓰는 서버에 사용합니다.",
  "Most providers require an app password.": "대부분의 메일 서비스에서는 앱 비밀번호가 필요합니다.",
  "Import the issues of a project or a query, with their comments.":
    "프로젝트 또는 쿼리의 이슈를 댓글과 함께 가져옵니다.",
  "The address of Jira, or of any issue in it.": "Jira 또는 그 안에 있는 이슈의 주소입니다.",
  "Project key": "프로젝트 키",
  "Query (JQL)": "쿼리(JQL)",
  "Only issues that match it, in the project or, without one, in all of them.":
    "쿼리에 맞는 이슈만 가져옵니다. 프로젝트를 지정하지 않으면 모든 프로젝트에서 찾습니다.",
  "Include comments": "댓글 포함",
  "On Jira Cloud, your e-mail address. Not needed with a personal access token.":
    "Jira Cloud에서는 이메일 주소입니다. 개인 액세스 토큰을 쓰면 필요하지 않습니다.",
  "Import the pages and databases that are shared with an integration.":
    "통합과 공유된 페이지와 데이터베이스를 가져옵니다.",
  "Integration secret": "통합 시크릿",
  "Add the integration to each page or database that it may read.":
    "통합이 읽을 페이지나 데이터베이스마다 통합을 추가하세요.",
  "Import the documents of a Paperless-ngx archive, with their tags.":
    "Paperless-ngx 보관소의 문서를 태그와 함께 가져옵니다.",
  Content: "내용",
  "Files have pages that citations can show. The text is already recognised.":
    "파일에는 인용에서 보여 줄 페이지가 있고, 텍스트는 이미 인식되어 있습니다.",
  "Text that Paperless recognised": "Paperless가 인식한 텍스트",
  "Archived file": "보관된 파일",
  "Original file": "원본 파일",
  "Maximum size of a file, in MB": "파일 최대 크기(MB)",
  "API token": "API 토큰",
  "From My Profile in Paperless-ngx.": "Paperless-ngx의 ‘내 프로필’에서 확인하세요.",
  "S3 bucket": "S3 버킷",
  "Import the files of a bucket on Amazon S3, MinIO, R2 or a compatible server.":
    "Amazon S3, MinIO, R2 또는 호환 서버에 있는 버킷의 파일을 가져옵니다.",
  Endpoint: "엔드포인트",
  "The server's address. Amazon S3 if empty.": "서버 주소입니다. 비워 두면 Amazon S3를 사용합니다.",
  Region: "리전",
  "us-east-1 if empty, which most compatible servers accept.":
    "비워 두면 us-east-1을 사용하며, 대부분의 호환 서버에서 통합니다.",
  Bucket: "버킷",
  Prefix: "접두사",
  "Only files whose keys begin with it. Everything if empty.":
    "키가 이 값으로 시작하는 파일만 가져옵니다. 비워 두면 모두 가져옵니다.",
  "Bucket in the path": "경로에 버킷 표시",
  "Turn it off for servers that expect the bucket in the host name.":
    "호스트 이름에 버킷이 있어야 하는 서버라면 끄세요.",
  "Access key ID": "액세스 키 ID",
  "May list the bucket and read its files. None for public buckets.":
    "버킷 목록과 파일을 읽을 수 있어야 합니다. 공개 버킷에는 필요하지 않습니다.",
  "Secret access key": "비밀 액세스 키",
  "Nextcloud or WebDAV": "Nextcloud 또는 WebDAV",
  "Import the files of a folder on Nextcloud, ownCloud or any WebDAV server.":
    "Nextcloud, ownCloud 또는 WebDAV 서버에 있는 폴더의 파일을 가져옵니다.",
  "Of Nextcloud, of a folder as the browser shows it, or of a WebDAV folder.":
    "Nextcloud 주소, 브라우저에 표시되는 폴더 주소 또는 WebDAV 폴더 주소입니다.",
  "Everything if empty.": "비워 두면 모두 가져옵니다.",
  "App password": "앱 비밀번호",
  "On Nextcloud, from Settings > Security. Elsewhere, the password.":
    "Nextcloud에서는 설정 > 보안에서 만드세요. 다른 서버에서는 일반 비밀번호를 사용합니다.",
  Website: "웹사이트",
  "Import the pages of a site, following its links and sitemap.":
    "링크와 사이트맵을 따라 사이트의 페이지를 가져옵니다.",
  "Start page": "시작 페이지",
  "Link depth": "링크 깊이",
  "How many links away from the start page Carrel follows.":
    "시작 페이지에서 몇 단계의 링크까지 따라갈지 정합니다.",
  "Maximum pages": "최대 페이지 수",
  "Part of the site": "사이트 범위",
  "Only the start page's folder": "시작 페이지의 폴더만",
  "The whole site": "사이트 전체",
  "Include linked files": "연결된 파일 포함",
  "PDFs and Office files that pages link to.": "페이지에 연결된 PDF와 Office 파일입니다.",
  "Run scripts": "스크립트 실행",
  "For pages that stay empty without JavaScript. Takes seconds per page, and needs a browser that the administrator set up on the server.":
    "JavaScript 없이는 비어 있는 페이지에 사용합니다. 페이지마다 몇 초씩 걸리며, 관리자가 서버에 설정한 브라우저가 필요합니다.",
  "Excluded paths": "제외할 경로",
  "One per line, such as /blog/archive.": "한 줄에 하나씩 입력하세요(예: /blog/archive).",
  "Use the sitemap": "사이트맵 사용",
  "Import the transcripts of a video, a playlist or a channel.":
    "동영상, 재생목록 또는 채널의 녹취록을 가져옵니다.",
  "Video, playlist or channel": "동영상, 재생목록 또는 채널",
  "Transcript language": "녹취록 언어",
  "A code such as en. By default, the language that is spoken.":
    "en과 같은 코드입니다. 기본값은 영상에서 말하는 언어입니다.",
  "Maximum videos": "최대 동영상 수",
  "The newest ones of a channel, and the first ones of a playlist.":
    "채널에서는 최신 동영상부터, 재생목록에서는 앞쪽 동영상부터 가져옵니다.",
};

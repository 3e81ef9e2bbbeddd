import type { FormTexts } from "./en.ts";

export const zh: FormTexts = {
  "Import the pages of a space, with their attachments and who may see them.":
    "导入空间的页面及其附件，并保留谁可以查看的信息。",
  Address: "地址",
  "The address of Confluence, or of any page in it.": "Confluence 或其中任一页面的地址。",
  Deployment: "部署方式",
  Cloud: "云端",
  "Self-hosted": "自托管",
  "Space key": "空间键",
  "Include attachments": "包含附件",
  "PDFs, Office files and texts.": "PDF、Office 文件和文本。",
  "Include blog posts": "包含博客文章",
  "Maximum size of an attachment, in MB": "单个附件的最大大小（MB）",
  "Accept any certificate": "接受任何证书",
  "For a self-hosted server with a self-signed certificate.": "用于使用自签名证书的自托管服务器。",
  Username: "用户名",
  "On Confluence Cloud, your e-mail address. Not needed with a personal access token.":
    "在 Confluence Cloud 上为你的邮箱地址。使用个人访问令牌时无需填写。",
  "API token or password": "API 令牌或密码",
  "Personal access token": "个人访问令牌",
  "Self-hosted only; instead of a username.": "仅限自托管；代替用户名。",
  "Import the pages of spaces, with their attachments.": "导入多个空间的页面及其附件。",
  "Space IDs": "空间 ID",
  "One per line. Without any, every space that the token may read.":
    "每行一个。留空则包含令牌可读取的所有空间。",
  "Access token": "访问令牌",
  "RSS or Atom feed": "RSS 或 Atom 订阅源",
  "Import the entries of a feed, and new ones as they appear.":
    "导入订阅源的条目，并在有新条目时一并导入。",
  "The address of the feed, or of a page that has one.": "订阅源的地址，或提供订阅源的页面地址。",
  "Import full pages": "导入完整页面",
  "For feeds that only have summaries: imports the page each entry links to.":
    "适用于只有摘要的订阅源：导入每个条目所链接的页面。",
  "Maximum entries per import": "每次导入的最大条目数",
  "Only for feeds that ask for a password.": "仅用于需要密码的订阅源。",
  Password: "密码",
  "Folder on the server": "服务器上的文件夹",
  "Import the files of a folder that an admin has allowed.": "导入管理员已允许的文件夹中的文件。",
  Folder: "文件夹",
  "One of the allowed folders, or a folder in one of them.": "已允许的文件夹之一，或其中的文件夹。",
  "Ignored files": "忽略的文件",
  "One pattern per line, as in .gitignore.": "每行一个模式，写法同 .gitignore。",
  "Largest file, in MB": "单个文件的最大大小（MB）",
  "Import the files of a repository on Gitea or Forgejo, and its issues and wiki if you want.":
    "导入 Gitea 或 Forgejo 仓库的文件，也可导入议题和 Wiki。",
  Repository: "仓库",
  Branch: "分支",
  "The default branch if empty.": "留空则使用默认分支。",
  "Include issues": "包含议题",
  "Each issue and its comments become one document.": "每个议题连同评论成为一个文档。",
  "Include the wiki": "包含 Wiki",
  "Needed for private repositories. It may read repositories and issues.":
    "私有仓库需要。须能读取仓库和议题。",
  "Import the files of a repository, and its issues if you want.": "导入仓库的文件，也可导入议题。",
  "Needed for private repositories. It may read contents, issues and metadata.":
    "私有仓库需要。须能读取内容、议题和元数据。",
  "Import the files of a project, and its issues and wiki if you want.":
    "导入项目的文件，也可导入议题和 Wiki。",
  "Needed for private projects. Scope: read_api.": "私有项目需要。权限范围：read_api。",
  "Mailbox (IMAP)": "邮箱（IMAP）",
  "Import messages with their attachments. Everyone in the workspace can read them.":
    "导入邮件及其附件。工作区中的所有人都可以阅读。",
  Server: "服务器",
  Folders: "文件夹",
  "One per line. Without any, all folders but drafts, spam and trash.":
    "每行一个。留空则包含除草稿、垃圾邮件和已删除邮件以外的所有文件夹。",
  Since: "起始日期",
  "Only messages that arrived on this day or later.": "仅导入当天及之后收到的邮件。",
  Encryption: "加密",
  "A server on this machine can do without.": "本机上的服务器可以不加密。",
  None: "无",
  Port: "端口",
  "By default 993, or 143 without TLS from the start.":
    "默认为 993；如果不是一开始就使用 TLS，则为 143。",
  "Largest message, in MB": "单封邮件的最大大小（MB）",
  "For a server with a self-signed certificate.": "用于使用自签名证书的服务器。",
  "Most providers require an app password.": "大多数邮件服务商要求使用应用专用密码。",
  "Import the issues of a project or a query, with their comments.":
    "导入项目或查询结果中的事务及其评论。",
  "The address of Jira, or of any issue in it.": "Jira 或其中任一事务的地址。",
  "Project key": "项目键",
  "Query (JQL)": "查询（JQL）",
  "Only issues that match it, in the project or, without one, in all of them.":
    "仅导入项目中匹配的事务；未填写项目时在所有项目中查找。",
  "Include comments": "包含评论",
  "On Jira Cloud, your e-mail address. Not needed with a personal access token.":
    "在 Jira Cloud 上为你的邮箱地址。使用个人访问令牌时无需填写。",
  "Import the pages and databases that are shared with an integration.":
    "导入与集成共享的页面和数据库。",
  "Integration secret": "集成密钥",
  "Add the integration to each page or database that it may read.":
    "请将集成添加到它可以读取的每个页面或数据库。",
  "Import the documents of a Paperless-ngx archive, with their tags.":
    "导入 Paperless-ngx 归档中的文档及其标签。",
  Content: "内容",
  "Files have pages that citations can show. The text is already recognised.":
    "文件带有可供引用展示的页面，文本已经过识别。",
  "Text that Paperless recognised": "Paperless 识别出的文本",
  "Archived file": "归档文件",
  "Original file": "原始文件",
  "Maximum size of a file, in MB": "单个文件的最大大小（MB）",
  "API token": "API 令牌",
  "From My Profile in Paperless-ngx.": "在 Paperless-ngx 的“我的个人资料”中获取。",
  "S3 bucket": "S3 存储桶",
  "Import the files of a bucket on Amazon S3, MinIO, R2 or a compatible server.":
    "导入 Amazon S3、MinIO、R2 或兼容服务器上存储桶中的文件。",
  Endpoint: "端点",
  "The server's address. Amazon S3 if empty.": "服务器的地址。留空则为 Amazon S3。",
  Region: "区域",
  "us-east-1 if empty, which most compatible servers accept.":
    "留空则为 us-east-1，大多数兼容服务器都接受。",
  Bucket: "存储桶",
  Prefix: "前缀",
  "Only files whose keys begin with it. Everything if empty.":
    "仅导入键以此开头的文件。留空则导入全部。",
  "Bucket in the path": "路径中包含存储桶",
  "Turn it off for servers that expect the bucket in the host name.":
    "如果服务器要求存储桶位于主机名中，请关闭此项。",
  "Access key ID": "访问密钥 ID",
  "May list the bucket and read its files. None for public buckets.":
    "须能列出存储桶并读取其中的文件。公开存储桶无需填写。",
  "Secret access key": "私有访问密钥",
  "Nextcloud or WebDAV": "Nextcloud 或 WebDAV",
  "Import the files of a folder on Nextcloud, ownCloud or any WebDAV server.":
    "导入 Nextcloud、ownCloud 或任何 WebDAV 服务器上文件夹中的文件。",
  "Of Nextcloud, of a folder as the browser shows it, or of a WebDAV folder.":
    "Nextcloud 的地址、浏览器中显示的文件夹地址，或 WebDAV 文件夹的地址。",
  "Everything if empty.": "留空则导入全部。",
  "App password": "应用密码",
  "On Nextcloud, from Settings > Security. Elsewhere, the password.":
    "Nextcloud 请在“设置 > 安全”中获取，其他服务器使用普通密码。",
  Website: "网站",
  "Import the pages of a site, following its links and sitemap.":
    "沿着链接和站点地图导入网站的页面。",
  "Start page": "起始页面",
  "Link depth": "链接深度",
  "How many links away from the start page Carrel follows.":
    "Carrel 从起始页面出发跟随多少层链接。",
  "Maximum pages": "最大页面数",
  "Part of the site": "网站范围",
  "Only the start page's folder": "仅起始页面所在的文件夹",
  "The whole site": "整个网站",
  "Include linked files": "包含链接的文件",
  "PDFs and Office files that pages link to.": "页面所链接的 PDF 和 Office 文件。",
  "Run scripts": "运行脚本",
  "For pages that stay empty without JavaScript. Takes seconds per page, and needs a browser that the administrator set up on the server.":
    "用于没有 JavaScript 就为空白的页面。每个页面需要数秒，并需要管理员在服务器上配置浏览器。",
  "Excluded paths": "排除的路径",
  "One per line, such as /blog/archive.": "每行一个，例如 /blog/archive。",
  "Use the sitemap": "使用站点地图",
  "Import the transcripts of a video, a playlist or a channel.":
    "导入视频、播放列表或频道的文字稿。",
  "Video, playlist or channel": "视频、播放列表或频道",
  "Transcript language": "文字稿语言",
  "A code such as en. By default, the language that is spoken.":
    "语言代码，例如 en。默认为视频中的语言。",
  "Maximum videos": "最大视频数",
  "The newest ones of a channel, and the first ones of a playlist.":
    "频道中最新的视频，播放列表中最前面的视频。",
};

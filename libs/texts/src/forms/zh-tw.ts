import type { FormTexts } from "./en.ts";

export const zhTw: FormTexts = {
  "Import the pages of a space, with their attachments and who may see them.":
    "匯入空間的頁面及附件，並保留誰可以檢視的資訊。",
  Address: "網址",
  "The address of Confluence, or of any page in it.": "Confluence 或其中任一頁面的網址。",
  Deployment: "部署方式",
  Cloud: "雲端",
  "Self-hosted": "自行架設",
  "Space key": "空間金鑰",
  "Include attachments": "包含附件",
  "PDFs, Office files and texts.": "PDF、Office 檔案和文字。",
  "Include blog posts": "包含部落格文章",
  "Maximum size of an attachment, in MB": "單一附件的大小上限（MB）",
  "Accept any certificate": "接受任何憑證",
  "For a self-hosted server with a self-signed certificate.":
    "適用於使用自我簽署憑證的自架伺服器。",
  Username: "使用者名稱",
  "On Confluence Cloud, your e-mail address. Not needed with a personal access token.":
    "在 Confluence Cloud 上為你的電子郵件地址。使用個人存取權杖時不需填寫。",
  "API token or password": "API 權杖或密碼",
  "Personal access token": "個人存取權杖",
  "Self-hosted only; instead of a username.": "僅限自行架設；取代使用者名稱。",
  "Import the pages of spaces, with their attachments.": "匯入多個空間的頁面及附件。",
  "Space IDs": "空間 ID",
  "One per line. Without any, every space that the token may read.":
    "每行一個。留空則包含權杖可讀取的所有空間。",
  "Access token": "存取權杖",
  "RSS or Atom feed": "RSS 或 Atom 訂閱來源",
  "Import the entries of a feed, and new ones as they appear.":
    "匯入訂閱來源的項目，並在有新項目時一併匯入。",
  "The address of the feed, or of a page that has one.":
    "訂閱來源的網址，或提供訂閱來源的頁面網址。",
  "Import full pages": "匯入完整頁面",
  "For feeds that only have summaries: imports the page each entry links to.":
    "適用於只有摘要的訂閱來源：匯入每個項目所連結的頁面。",
  "Maximum entries per import": "每次匯入的項目上限",
  "Only for feeds that ask for a password.": "僅適用於需要密碼的訂閱來源。",
  Password: "密碼",
  "Folder on the server": "伺服器上的資料夾",
  "Import the files of a folder that an admin has allowed.": "匯入管理員允許的資料夾中的檔案。",
  Folder: "資料夾",
  "One of the allowed folders, or a folder in one of them.": "允許的資料夾之一，或其中的資料夾。",
  "Ignored files": "忽略的檔案",
  "One pattern per line, as in .gitignore.": "每行一個模式，寫法與 .gitignore 相同。",
  "Largest file, in MB": "單一檔案的大小上限（MB）",
  "Import the files of a repository on Gitea or Forgejo, and its issues and wiki if you want.":
    "匯入 Gitea 或 Forgejo 儲存庫的檔案，也可匯入議題和 Wiki。",
  Repository: "儲存庫",
  Branch: "分支",
  "The default branch if empty.": "留空則使用預設分支。",
  "Include issues": "包含議題",
  "Each issue and its comments become one document.": "每個議題連同留言成為一份文件。",
  "Include the wiki": "包含 Wiki",
  "Needed for private repositories. It may read repositories and issues.":
    "私人儲存庫需要。必須能讀取儲存庫和議題。",
  "Import the files of a repository, and its issues if you want.":
    "匯入儲存庫的檔案，也可匯入議題。",
  "Needed for private repositories. It may read contents, issues and metadata.":
    "私人儲存庫需要。必須能讀取內容、議題和中繼資料。",
  "Import the files of a project, and its issues and wiki if you want.":
    "匯入專案的檔案，也可匯入議題和 Wiki。",
  "Needed for private projects. Scope: read_api.": "私人專案需要。範圍：read_api。",
  "Mailbox (IMAP)": "信箱（IMAP）",
  "Import messages with their attachments. Everyone in the workspace can read them.":
    "匯入郵件及附件。工作區裡的所有人都可以閱讀。",
  Server: "伺服器",
  Folders: "資料夾",
  "One per line. Without any, all folders but drafts, spam and trash.":
    "每行一個。留空則包含草稿、垃圾郵件和垃圾桶以外的所有資料夾。",
  Since: "起始日期",
  "Only messages that arrived on this day or later.": "僅匯入當天及之後收到的郵件。",
  Encryption: "加密",
  "A server on this machine can do without.": "本機上的伺服器可以不加密。",
  None: "無",
  Port: "連接埠",
  "By default 993, or 143 without TLS from the start.":
    "預設為 993；如果不是一開始就使用 TLS，則為 143。",
  "Largest message, in MB": "單封郵件的大小上限（MB）",
  "For a server with a self-signed certificate.": "適用於使用自我簽署憑證的伺服器。",
  "Most providers require an app password.": "大多數郵件服務要求使用應用程式密碼。",
  "Import the issues of a project or a query, with their comments.":
    "匯入專案或查詢結果中的議題及留言。",
  "The address of Jira, or of any issue in it.": "Jira 或其中任一議題的網址。",
  "Project key": "專案金鑰",
  "Query (JQL)": "查詢（JQL）",
  "Only issues that match it, in the project or, without one, in all of them.":
    "僅匯入專案中符合的議題；未填專案時在所有專案中尋找。",
  "Include comments": "包含留言",
  "On Jira Cloud, your e-mail address. Not needed with a personal access token.":
    "在 Jira Cloud 上為你的電子郵件地址。使用個人存取權杖時不需填寫。",
  "Import the pages and databases that are shared with an integration.":
    "匯入與整合共用的頁面和資料庫。",
  "Integration secret": "整合密鑰",
  "Add the integration to each page or database that it may read.":
    "請將整合加入它可以讀取的每個頁面或資料庫。",
  "Import the documents of a Paperless-ngx archive, with their tags.":
    "匯入 Paperless-ngx 封存庫的文件及標籤。",
  Content: "內容",
  "Files have pages that citations can show. The text is already recognised.":
    "檔案有可供引用顯示的頁面，文字也已辨識完成。",
  "Text that Paperless recognised": "Paperless 辨識的文字",
  "Archived file": "封存檔案",
  "Original file": "原始檔案",
  "Maximum size of a file, in MB": "單一檔案的大小上限（MB）",
  "API token": "API 權杖",
  "From My Profile in Paperless-ngx.": "在 Paperless-ngx 的「我的個人資料」中取得。",
  "S3 bucket": "S3 儲存貯體",
  "Import the files of a bucket on Amazon S3, MinIO, R2 or a compatible server.":
    "匯入 Amazon S3、MinIO、R2 或相容伺服器上儲存貯體的檔案。",
  Endpoint: "端點",
  "The server's address. Amazon S3 if empty.": "伺服器的網址。留空則為 Amazon S3。",
  Region: "區域",
  "us-east-1 if empty, which most compatible servers accept.":
    "留空則為 us-east-1，大多數相容伺服器都接受。",
  Bucket: "儲存貯體",
  Prefix: "前置字串",
  "Only files whose keys begin with it. Everything if empty.":
    "僅匯入鍵值以此開頭的檔案。留空則匯入全部。",
  "Bucket in the path": "路徑包含儲存貯體",
  "Turn it off for servers that expect the bucket in the host name.":
    "如果伺服器要求儲存貯體位於主機名稱中，請關閉此選項。",
  "Access key ID": "存取金鑰 ID",
  "May list the bucket and read its files. None for public buckets.":
    "必須能列出儲存貯體並讀取其中的檔案。公開的儲存貯體不需填寫。",
  "Secret access key": "私密存取金鑰",
  "Nextcloud or WebDAV": "Nextcloud 或 WebDAV",
  "Import the files of a folder on Nextcloud, ownCloud or any WebDAV server.":
    "匯入 Nextcloud、ownCloud 或任何 WebDAV 伺服器上資料夾的檔案。",
  "Of Nextcloud, of a folder as the browser shows it, or of a WebDAV folder.":
    "Nextcloud 的網址、瀏覽器顯示的資料夾網址，或 WebDAV 資料夾的網址。",
  "Everything if empty.": "留空則匯入全部。",
  "App password": "應用程式密碼",
  "On Nextcloud, from Settings > Security. Elsewhere, the password.":
    "Nextcloud 請在「設定 > 安全性」中取得，其他伺服器使用一般密碼。",
  Website: "網站",
  "Import the pages of a site, following its links and sitemap.":
    "沿著連結和網站地圖匯入網站的頁面。",
  "Start page": "起始頁面",
  "Link depth": "連結深度",
  "How many links away from the start page Carrel follows.": "Carrel 從起始頁面開始追蹤幾層連結。",
  "Maximum pages": "頁面數上限",
  "Part of the site": "網站範圍",
  "Only the start page's folder": "僅起始頁面所在的資料夾",
  "The whole site": "整個網站",
  "Include linked files": "包含連結的檔案",
  "PDFs and Office files that pages link to.": "頁面所連結的 PDF 和 Office 檔案。",
  "Run scripts": "執行指令碼",
  "For pages that stay empty without JavaScript. Takes seconds per page, and needs a browser that the administrator set up on the server.":
    "適用於沒有 JavaScript 就空白的頁面。每個頁面需要數秒，並需要管理員在伺服器上設定瀏覽器。",
  "Excluded paths": "排除的路徑",
  "One per line, such as /blog/archive.": "每行一個，例如 /blog/archive。",
  "Use the sitemap": "使用網站地圖",
  "Import the transcripts of a video, a playlist or a channel.":
    "匯入影片、播放清單或頻道的逐字稿。",
  "Video, playlist or channel": "影片、播放清單或頻道",
  "Transcript language": "逐字稿語言",
  "A code such as en. By default, the language that is spoken.":
    "語言代碼，例如 en。預設為影片中的語言。",
  "Maximum videos": "影片數上限",
  "The newest ones of a channel, and the first ones of a playlist.":
    "頻道中最新的影片，播放清單中最前面的影片。",
};

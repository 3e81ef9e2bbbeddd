import type { FormTexts } from "./en.ts";

export const vi: FormTexts = {
  "Import the pages of a space, with their attachments and who may see them.":
    "Nhập các trang của một không gian, kèm tệp đính kèm và quyền xem.",
  Address: "Địa chỉ",
  "The address of Confluence, or of any page in it.":
    "Địa chỉ của Confluence hoặc của bất kỳ trang nào trong đó.",
  Deployment: "Cách triển khai",
  Cloud: "Đám mây",
  "Self-hosted": "Tự lưu trữ",
  "Space key": "Khóa không gian",
  "Include attachments": "Bao gồm tệp đính kèm",
  "PDFs, Office files and texts.": "Tệp PDF, tệp Office và văn bản.",
  "Include blog posts": "Bao gồm bài viết blog",
  "Maximum size of an attachment, in MB": "Kích thước tối đa của tệp đính kèm (MB)",
  "Accept any certificate": "Chấp nhận mọi chứng chỉ",
  "For a self-hosted server with a self-signed certificate.":
    "Dành cho máy chủ tự lưu trữ dùng chứng chỉ tự ký.",
  Username: "Tên người dùng",
  "On Confluence Cloud, your e-mail address. Not needed with a personal access token.":
    "Trên Confluence Cloud là địa chỉ email của bạn. Không cần nếu dùng token truy cập cá nhân.",
  "API token or password": "Token API hoặc mật khẩu",
  "Personal access token": "Token truy cập cá nhân",
  "Self-hosted only; instead of a username.":
    "Chỉ dành cho bản tự lưu trữ; thay cho tên người dùng.",
  "Import the pages of spaces, with their attachments.":
    "Nhập các trang của nhiều không gian, kèm tệp đính kèm.",
  "Space IDs": "ID không gian",
  "One per line. Without any, every space that the token may read.":
    "Mỗi dòng một ID. Nếu để trống, lấy mọi không gian mà token được phép đọc.",
  "Access token": "Token truy cập",
  "RSS or Atom feed": "Nguồn cấp RSS hoặc Atom",
  "Import the entries of a feed, and new ones as they appear.":
    "Nhập các mục của nguồn cấp, và các mục mới khi chúng xuất hiện.",
  "The address of the feed, or of a page that has one.":
    "Địa chỉ của nguồn cấp hoặc của trang có nguồn cấp.",
  "Import full pages": "Nhập toàn bộ trang",
  "For feeds that only have summaries: imports the page each entry links to.":
    "Dành cho nguồn cấp chỉ có tóm tắt: nhập trang mà mỗi mục liên kết tới.",
  "Maximum entries per import": "Số mục tối đa mỗi lần nhập",
  "Only for feeds that ask for a password.": "Chỉ dành cho nguồn cấp yêu cầu mật khẩu.",
  Password: "Mật khẩu",
  "Folder on the server": "Thư mục trên máy chủ",
  "Import the files of a folder that an admin has allowed.":
    "Nhập các tệp trong thư mục mà quản trị viên đã cho phép.",
  Folder: "Thư mục",
  "One of the allowed folders, or a folder in one of them.":
    "Một trong các thư mục được phép hoặc thư mục con của chúng.",
  "Ignored files": "Tệp bị bỏ qua",
  "One pattern per line, as in .gitignore.": "Mỗi dòng một mẫu, như trong .gitignore.",
  "Largest file, in MB": "Kích thước tối đa của tệp (MB)",
  "Import the files of a repository on Gitea or Forgejo, and its issues and wiki if you want.":
    "Nhập các tệp của kho mã trên Gitea hoặc Forgejo, cùng issue và wiki nếu bạn muốn.",
  Repository: "Kho mã",
  Branch: "Nhánh",
  "The default branch if empty.": "Nhánh mặc định nếu để trống.",
  "Include issues": "Bao gồm issue",
  "Each issue and its comments become one document.":
    "Mỗi issue cùng các bình luận trở thành một tài liệu.",
  "Include the wiki": "Bao gồm wiki",
  "Needed for private repositories. It may read repositories and issues.":
    "Cần cho kho mã riêng tư. Phải được phép đọc kho mã và issue.",
  "Import the files of a repository, and its issues if you want.":
    "Nhập các tệp của kho mã, cùng issue nếu bạn muốn.",
  "Needed for private repositories. It may read contents, issues and metadata.":
    "Cần cho kho mã riêng tư. Phải được phép đọc nội dung, issue và siêu dữ liệu.",
  "Import the files of a project, and its issues and wiki if you want.":
    "Nhập các tệp của dự án, cùng issue và wiki nếu bạn muốn.",
  "Needed for private projects. Scope: read_api.": "Cần cho dự án riêng tư. Phạm vi: read_api.",
  "Mailbox (IMAP)": "Hộp thư (IMAP)",
  "Import messages with their attachments. Everyone in the workspace can read them.":
    "Nhập thư kèm tệp đính kèm. Mọi người trong không gian làm việc đều có thể đọc.",
  Server: "Máy chủ",
  Folders: "Thư mục",
  "One per line. Without any, all folders but drafts, spam and trash.":
    "Mỗi dòng một thư mục. Nếu để trống, lấy mọi thư mục trừ thư nháp, thư rác và thùng rác.",
  Since: "Từ ngày",
  "Only messages that arrived on this day or later.": "Chỉ những thư đến vào ngày này hoặc sau đó.",
  Encryption: "Mã hóa",
  "A server on this machine can do without.": "Máy chủ trên chính máy này có thể không cần.",
  None: "Không có",
  Port: "Cổng",
  "By default 993, or 143 without TLS from the start.":
    "Mặc định là 993, hoặc 143 nếu không dùng TLS ngay từ đầu.",
  "Largest message, in MB": "Kích thước tối đa của thư (MB)",
  "For a server with a self-signed certificate.": "Dành cho máy chủ dùng chứng chỉ tự ký.",
  "Most providers require an app password.": "Hầu hết nhà cung cấp yêu cầu mật khẩu ứng dụng.",
  "Import the issues of a project or a query, with their comments.":
    "Nhập các issue của một dự án hoặc truy vấn, kèm bình luận.",
  "The address of Jira, or of any issue in it.":
    "Địa chỉ của Jira hoặc của bất kỳ issue nào trong đó.",
  "Project key": "Khóa dự án",
  "Query (JQL)": "Truy vấn (JQL)",
  "Only issues that match it, in the project or, without one, in all of them.":
    "Chỉ các issue khớp, trong dự án hoặc trong mọi dự án nếu không chọn.",
  "Include comments": "Bao gồm bình luận",
  "On Jira Cloud, your e-mail address. Not needed with a personal access token.":
    "Trên Jira Cloud là địa chỉ email của bạn. Không cần nếu dùng token truy cập cá nhân.",
  "Import the pages and databases that are shared with an integration.":
    "Nhập các trang và cơ sở dữ liệu được chia sẻ với một tích hợp.",
  "Integration secret": "Khóa bí mật của tích hợp",
  "Add the integration to each page or database that it may read.":
    "Hãy thêm tích hợp vào từng trang hoặc cơ sở dữ liệu mà nó được phép đọc.",
  "Import the documents of a Paperless-ngx archive, with their tags.":
    "Nhập tài liệu từ kho Paperless-ngx, kèm nhãn.",
  Content: "Nội dung",
  "Files have pages that citations can show. The text is already recognised.":
    "Tệp có các trang để trích dẫn hiển thị. Văn bản đã được nhận dạng.",
  "Text that Paperless recognised": "Văn bản do Paperless nhận dạng",
  "Archived file": "Tệp lưu trữ",
  "Original file": "Tệp gốc",
  "Maximum size of a file, in MB": "Kích thước tối đa của tệp (MB)",
  "API token": "Token API",
  "From My Profile in Paperless-ngx.": "Trong mục “Hồ sơ của tôi” của Paperless-ngx.",
  "S3 bucket": "Bucket S3",
  "Import the files of a bucket on Amazon S3, MinIO, R2 or a compatible server.":
    "Nhập các tệp của bucket trên Amazon S3, MinIO, R2 hoặc máy chủ tương thích.",
  Endpoint: "Điểm cuối",
  "The server's address. Amazon S3 if empty.": "Địa chỉ máy chủ. Là Amazon S3 nếu để trống.",
  Region: "Khu vực",
  "us-east-1 if empty, which most compatible servers accept.":
    "Là us-east-1 nếu để trống; hầu hết máy chủ tương thích đều chấp nhận.",
  Bucket: "Bucket",
  Prefix: "Tiền tố",
  "Only files whose keys begin with it. Everything if empty.":
    "Chỉ các tệp có khóa bắt đầu bằng tiền tố này. Lấy tất cả nếu để trống.",
  "Bucket in the path": "Bucket trong đường dẫn",
  "Turn it off for servers that expect the bucket in the host name.":
    "Tắt đi với máy chủ cần bucket nằm trong tên máy chủ.",
  "Access key ID": "ID khóa truy cập",
  "May list the bucket and read its files. None for public buckets.":
    "Phải được phép liệt kê bucket và đọc tệp. Không cần với bucket công khai.",
  "Secret access key": "Khóa truy cập bí mật",
  "Nextcloud or WebDAV": "Nextcloud hoặc WebDAV",
  "Import the files of a folder on Nextcloud, ownCloud or any WebDAV server.":
    "Nhập các tệp của thư mục trên Nextcloud, ownCloud hoặc bất kỳ máy chủ WebDAV nào.",
  "Of Nextcloud, of a folder as the browser shows it, or of a WebDAV folder.":
    "Địa chỉ của Nextcloud, của thư mục như trình duyệt hiển thị, hoặc của thư mục WebDAV.",
  "Everything if empty.": "Lấy tất cả nếu để trống.",
  "App password": "Mật khẩu ứng dụng",
  "On Nextcloud, from Settings > Security. Elsewhere, the password.":
    "Trên Nextcloud: Cài đặt > Bảo mật. Nơi khác: mật khẩu thông thường.",
  Website: "Trang web",
  "Import the pages of a site, following its links and sitemap.":
    "Nhập các trang của một website theo liên kết và sơ đồ trang web.",
  "Start page": "Trang bắt đầu",
  "Link depth": "Độ sâu liên kết",
  "How many links away from the start page Carrel follows.":
    "Carrel đi theo bao nhiêu liên kết tính từ trang bắt đầu.",
  "Maximum pages": "Số trang tối đa",
  "Part of the site": "Phần của website",
  "Only the start page's folder": "Chỉ thư mục của trang bắt đầu",
  "The whole site": "Toàn bộ website",
  "Include linked files": "Bao gồm tệp được liên kết",
  "PDFs and Office files that pages link to.": "Tệp PDF và tệp Office mà các trang liên kết tới.",
  "Run scripts": "Chạy tập lệnh",
  "For pages that stay empty without JavaScript. Takes seconds per page, and needs a browser that the administrator set up on the server.":
    "Dành cho các trang trống nếu không có JavaScript. Mất vài giây mỗi trang và cần trình duyệt do quản trị viên thiết lập trên máy chủ.",
  "Excluded paths": "Đường dẫn loại trừ",
  "One per line, such as /blog/archive.": "Mỗi dòng một đường dẫn, ví dụ /blog/archive.",
  "Use the sitemap": "Dùng sơ đồ trang web",
  "Import the transcripts of a video, a playlist or a channel.":
    "Nhập bản chép lời của video, danh sách phát hoặc kênh.",
  "Video, playlist or channel": "Video, danh sách phát hoặc kênh",
  "Transcript language": "Ngôn ngữ bản chép lời",
  "A code such as en. By default, the language that is spoken.":
    "Một mã như en. Mặc định là ngôn ngữ được nói.",
  "Maximum videos": "Số video tối đa",
  "The newest ones of a channel, and the first ones of a playlist.":
    "Các video mới nhất của kênh và các video đầu của danh sách phát.",
};

import type { FillerPhrases } from "../filler-roles.ts";

export const vietnameseFillers: FillerPhrases = {
  glue: `
    và, hoặc, hay, nhưng, thì, là, mà, rằng, cũng, chỉ, rất, hơi, một chút, chút, của, cho, với,
    về, ở, tại, từ, đến, trong, ngoài, trên, dưới, theo, bằng, để, nếu, vì, do, bởi, không, chưa,
    đừng, chớ, có, được, bị, phải, cần, nên, muốn, thể, có thể, có lẽ, này, đó, ấy, kia, đây,
    những, các, mọi, mỗi, tất cả, một, vài, bất kỳ, ạ, nhé, nha, giúp, hộ, dùm, giùm, đi, nào đó,
    bạn, anh, chị, ông, bà, em, quý vị, nó, họ, thôi, mình, lại, thêm, hơn, nhất, đang, đã, sẽ,
    rồi, vâng, dạ, khi, ra, lên, vào, thật, cả, hãy, gì thêm, sao cho, tốt
  `,
  self: `
    tôi, mình, tớ, chúng tôi, chúng ta, của tôi, em là, tôi là, là một, với tư cách, với tư cách là
  `,
  modal: `
    bạn có thể, anh có thể, chị có thể, có thể, bạn có thể vui lòng, liệu bạn có thể, liệu có thể,
    tôi có thể, cho phép tôi, có ai có thể, bạn vui lòng, em có thể
  `,
  please: `
    xin, làm ơn, vui lòng, xin vui lòng, xin hãy, nếu có thể, nếu được, nếu bạn có thời gian,
    phiền bạn, làm phiền, nhân tiện, nhờ bạn
  `,
  ask: `
    cho tôi biết, cho mình biết, cho em biết, cho chúng tôi biết, cho biết, cho hỏi, cho tôi hỏi,
    cho mình hỏi, cho em hỏi, xin hỏi, xin cho hỏi, nói cho tôi, nói cho tôi biết, giải thích,
    giải thích cho tôi, giải thích giúp tôi, chỉ cho tôi, hãy cho tôi biết, hãy cho biết,
    hãy giải thích, hãy nói, giúp tôi, giúp mình, giúp tôi tìm hiểu, giúp tôi hiểu, hãy mô tả,
    mô tả, trình bày, nhắc tôi, bạn có biết, anh có biết, có ai biết, bạn biết, tôi muốn biết,
    tôi muốn hỏi, mình muốn hỏi, em muốn hỏi, mình muốn biết, tôi tự hỏi, tôi đang thắc mắc,
    tôi thắc mắc, tôi tò mò, tôi có một câu hỏi, tôi có câu hỏi, mình có câu hỏi, một câu hỏi,
    câu hỏi nhanh, hỏi nhanh, câu hỏi của tôi là, câu hỏi của tôi, câu hỏi là
  `,
  learn: "biết, hiểu, hỏi, tìm hiểu, tìm, học, nắm được, rõ",
  after: "liệu, rằng, cho tôi, giúp tôi, xem, về, thêm, rõ, là",
  greeting: `
    xin chào, chào, chào bạn, chào anh, chào chị, chào các bạn, chào mọi người, chào buổi sáng,
    chào buổi chiều, chào buổi tối, kính chào, kính gửi, thân gửi, bạn khỏe không,
    bạn có khỏe không, hi vọng, hy vọng, xin lỗi, xin lỗi vì, xin lỗi đã, thành thật xin lỗi,
    rất tiếc, hello, hi, alo, câu hỏi
  `,
  closing: `
    cảm ơn, cám ơn, cảm ơn bạn, cảm ơn nhiều, cảm ơn rất nhiều, xin cảm ơn, xin chân thành cảm ơn,
    chân thành cảm ơn, cảm ơn trước, cảm ơn bạn trước, xin cảm ơn trước, biết ơn, tôi rất biết ơn,
    trân trọng, trân trọng cảm ơn, thân ái, thân mến, kính thư, tạm biệt, chúc một ngày tốt lành,
    chúc bạn một ngày tốt lành, hẹn gặp lại
  `,
  courtesy: `
    trước, nhiều, làm phiền, phiền, thời gian, sự giúp đỡ, giúp đỡ, kiên nhẫn, khỏe, mạnh khỏe,
    ngày, tốt lành, mọi người, các bạn, nhóm, trợ lý, tin nhắn, câu trả lời, ngớ ngẩn, sự, chúc
  `,
  verb: `
    trả lời, đáp, viết, định dạng, trình bày, đưa ra, cung cấp, giữ, sử dụng, dùng, liệt kê, lập,
    tạo, làm, giới hạn, hạn chế, tránh, trích dẫn, trích, nêu, nêu rõ, ghi, ghi rõ, bao gồm, thêm,
    sắp xếp, dựa, tham khảo, tìm kiếm, xem, đọc, kiểm tra, bịa, bịa đặt, đoán, phỏng đoán, nói,
    suy nghĩ, nghĩ, dịch, tóm tắt, diễn đạt, xuất, trả về, vượt quá
  `,
  answer: "câu trả lời, trả lời, lời đáp, giải thích, kết quả, phản hồi, câu hỏi, nội dung trả lời",
  adverb: `
    ngắn gọn, một cách ngắn gọn, vắn tắt, ngắn, súc tích, cô đọng, chi tiết, một cách chi tiết,
    cụ thể, đầy đủ, từng bước, từng bước một, từng điểm, bằng ngôn ngữ đơn giản,
    bằng từ ngữ đơn giản, bằng lời đơn giản, một cách đơn giản, đơn giản, dễ hiểu,
    một cách dễ hiểu, rõ ràng, bằng vài từ, trong vài từ, dưới dạng danh sách, dưới dạng bảng,
    dưới dạng gạch đầu dòng, dưới dạng danh sách gạch đầu dòng, bằng gạch đầu dòng,
    theo gạch đầu dòng, thành danh sách, thành bảng, kèm ví dụ, kèm nguồn, kèm trích dẫn,
    có dẫn nguồn, như thể tôi năm tuổi, như cho trẻ năm tuổi, nguyên văn, càng ngắn càng tốt
  `,
  manner: `
    ngắn gọn, súc tích, chi tiết, gạch đầu dòng, dấu đầu dòng, danh sách đánh số,
    danh sách có dấu đầu dòng, đơn giản, dễ hiểu, từng bước, thuật ngữ, biệt ngữ, bịa, bịa đặt,
    đoán mò, không biết, không chắc, không chắc chắn, suy đoán, trung thực, kiến thức chung,
    có hoặc không, trang trọng, thân thiện, lịch sự, số trang, nguồn trích dẫn
  `,
  form: `
    danh sách, bảng, định dạng, dạng, hình thức, tiêu đề, in đậm, in nghiêng, tiếng việt,
    tiếng anh, tiếng đức, tiếng pháp, tiếng tây ban nha, tiếng trung, tiếng nhật, tiếng nga,
    tiếng hàn, ngôn ngữ, phong cách, giọng, giọng văn, giọng điệu, rõ ràng, chính xác, dài, ngắn,
    hàng, ví dụ, nguồn, nguồn tài liệu, trích dẫn, tham khảo, đoạn trích, phần, trang, đánh số,
    cấu trúc, tối đa, người mới, trẻ em, sự thật, thứ tự, chắc
  `,
  unit: "câu, từ, chữ, đoạn, đoạn văn, ký tự, dòng, ý, gạch đầu dòng",
  amount: `
    một, hai, ba, bốn, năm, sáu, bảy, tám, chín, mười, năm mươi, trăm, vài, tối đa, nhiều nhất,
    ít nhất, không quá, dưới, hơn, khoảng, hoặc, đến, duy nhất, ngắn
  `,
  lead: "trong, bằng, dưới dạng, như, theo, với, thành, không quá, dùng, sử dụng",
  relation: `
    dựa trên, dựa vào, căn cứ vào, căn cứ theo, theo, theo như, chỉ dựa vào, chỉ dựa trên, sử dụng,
    chỉ sử dụng, từ, xét theo, tham khảo, dựa theo, trong
  `,
  source: `
    tài liệu, các tài liệu, tập tin, tệp, tệp tin, file, cơ sở tri thức, kho tri thức,
    tệp đính kèm, ngữ cảnh, bối cảnh, nguồn, pdf, không gian làm việc
  `,
  matter: `
    văn bản, nội dung, tư liệu, dữ liệu, thông tin, trang, bài viết, đoạn trích, cơ sở dữ liệu
  `,
  given: `
    đã tải lên, tải lên, được tải lên, được cung cấp, cung cấp, đã cung cấp, đính kèm, đã cho,
    được cho, ở trên, bên trên, bên dưới, dưới đây, sau đây, có sẵn, hiện có, được chia sẻ,
    tôi đã tải lên, đã đăng
  `,
  purpose: `
    chuẩn bị, đang chuẩn bị, viết, đang viết, làm việc, nghiên cứu, học, đang học, tìm kiếm,
    lên kế hoạch, làm, giúp đỡ, trợ giúp, sự trợ giúp, một chút giúp đỡ, cần giúp đỡ,
    cần sự giúp đỡ, cần, cố gắng, quan tâm, mới, soạn
  `,
  setting: `
    bài nói chuyện, bài nói, buổi nói chuyện, bài thuyết trình, thuyết trình, bài phát biểu,
    bài giảng, ngắn, nhỏ, bài luận, tiểu luận, bài viết, bài báo, báo cáo, luận văn, luận án,
    bài tập, bài tập về nhà, dự án, kỳ thi, bài kiểm tra, khóa học, lớp, lớp học, hội thảo,
    đào tạo, cuộc họp, phỏng vấn, đồng nghiệp, nhóm, sếp, khách hàng, bạn bè, gia đình, trẻ em,
    sinh viên, học sinh, giáo viên, giảng viên, nhà nghiên cứu, nhà báo, nhân viên, nhân viên mới,
    thực tập sinh, người mới, trường, trường học, đại học, công việc, văn phòng, công ty,
    phòng ban, chủ đề, tuần, tuần tới, ngày mai, hôm nay, tháng, hiện tại, hiện nay, blog
  `,
  placeholder: "ai đó, bất kỳ ai, bất cứ ai, điều gì đó, còn gì nữa, còn ai nữa",
  asking: `
    ai, gì, cái gì, nào, khi nào, bao giờ, ở đâu, đâu, tại sao, vì sao, như thế nào, thế nào,
    bao nhiêu, bao lâu, mấy
  `,
  mention: "từ, nghĩa là, có nghĩa, nói, thuật ngữ, của",
};

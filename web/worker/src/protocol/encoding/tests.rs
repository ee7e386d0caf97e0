//! Tests that every message survives encoding and decoding.

use std::fmt::Debug;

use queens_core::{
    Check, Checks, Class, Coverage, Form, Method, Numbers, Placement, Queens, Rule, Size, Stepped,
    document::{Contradiction, DocumentError, Problem},
    material::{BoardFault, Cell, Finding, WrongCell},
    notation::NotationError,
};

use super::{
    super::{
        Answer, Call, ClassLedger, ComparedTask, CountCommand, CountEvent, CountJob, CountStatus,
        CurrentRow, DocumentInfo, Effort, Executor, FileAccessError, FileError, FileRequest,
        FinishedRow, ListedTask, LoadedFile, Location, Mismatch, Phase, PublishOutcome,
        RecountProgress, RecountRequest, Reply, Representative, Request, SearchProgress, Task,
        TaskDifference, TaskPair, TaskStart, TaskSummary, TimeDifference, TimePair, TimePicture,
        Trouble, WebGpu, WorkerStatus, WrongTask,
    },
    *,
};
use crate::icicle::{Band, Block, BlockKind, Icicle};

/// Lists messages of an enum by variant. A missing variant is a compile error.
macro_rules! messages {
    ($type:ident { $($variant:ident: $messages:expr,)+ }) => {{
        let _ = |message: &$type| match message { $($type::$variant { .. } => (),)+ };
        let messages: Vec<$type> = [$(Vec::from($messages)),+].concat();
        messages
    }};
}

/// Encodes and decodes a message. Without its last byte, decoding must fail.
fn assert_round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(message: &T) {
    let bytes = write(message).unwrap();
    assert_eq!(read::<T>(&bytes).unwrap(), *message);
    assert!(read::<T>(&bytes[..bytes.len() - 1]).is_err(), "{message:?} cut short");
}

fn size() -> Size {
    Size::new(8).unwrap()
}

fn placement() -> Placement {
    Placement::from_right(&[2, 0, 3, 1]).unwrap()
}

fn queens() -> Queens {
    queens_core::notation::queens(size(), "0:6,1:4").unwrap()
}

fn numbers() -> Numbers {
    Numbers::of_classes([0, 0, 1, 11]).unwrap()
}

fn job() -> CountJob {
    CountJob {
        method: Some(Method::Colours),
        from: size(),
        to: Size::new(32).unwrap(),
        executor: Executor::WebGpu,
    }
}

fn requests() -> Vec<Request> {
    let (size, method) = (size(), Stepped::Symmetry);
    messages!(Request {
        Classes: Size::all().map(|size| Request::Classes { size }).collect::<Vec<_>>(),
        TimelineIndex: Stepped::ALL
            .iter()
            .map(|&method| Request::TimelineIndex { method, size })
            .collect::<Vec<_>>(),
        Locate: [Request::Locate { method, placement: placement() }],
        Completions: [Request::Completions { queens: queens() }],
        Completion: [Request::Completion { queens: queens(), index: 300 }],
        Efforts: [Request::Efforts { methods: vec![method, Stepped::Bitmap], size }],
        TaskSummary: [Some(300), None].map(|chosen| Request::TaskSummary { document: 7, chosen }),
        TaskList: [Request::TaskList(1 << 40)],
        TaskDifference: [Request::TaskDifference([1, 1 << 40])],
        SumOfShards: [Request::SumOfShards(vec![1, 1 << 40])],
        Recount: [Some(3), None].map(|task| Request::Recount(RecountRequest { document: 7, task })),
    })
}

fn commands() -> Vec<CountCommand> {
    let every = CountJob { method: None, executor: Executor::Workers(8), ..job() };
    messages!(CountCommand {
        Watch: [CountCommand::Watch],
        Start: [CountCommand::Start(job()), CountCommand::Start(every)],
        Pause: [CountCommand::Pause],
        Resume: [CountCommand::Resume],
        Stop: [CountCommand::Stop],
        Discard: [CountCommand::Discard],
        Delete: [CountCommand::Delete],
        SendDocuments: [CountCommand::SendDocuments],
    })
}

#[test]
fn requests_round_trip() {
    let files = vec![("a.json".to_owned(), "blob:a".to_owned())];
    let file_requests = messages!(FileRequest {
        LoadStored: [FileRequest::LoadStored],
        Load: [FileRequest::Load(files), FileRequest::Load(vec![])],
        Fetch: [FileRequest::Fetch("a.json".into())],
        Remove: [FileRequest::Remove("2026 8 92 0 a.json".into())],
        Publish: [FileRequest::Publish("2026 8 92 0 a.json".into())],
    });
    let calls = messages!(Call {
        Request: requests()
            .into_iter()
            .map(|each| Call::Request(5, Box::new(each)))
            .collect::<Vec<_>>(),
        Count: commands().into_iter().map(|each| Call::Count(u64::MAX, each)).collect::<Vec<_>>(),
        Files: file_requests.into_iter().map(|each| Call::Files(300, each)).collect::<Vec<_>>(),
        Release: [Call::Release(0)],
        Stop: [Call::Stop(1 << 32)],
    });
    calls.iter().for_each(assert_round_trip);
}

/// Returns statuses of a count in every phase, some with all fields set and some with none.
fn statuses() -> Vec<CountStatus> {
    let wrong = WrongTask { task: 4095, counted: u64::MAX, expected: 0 };
    let text = || "out of memory".to_owned();
    let troubles = messages!(Trouble {
        NotSaved: [Trouble::NotSaved],
        OtherTabCounts: [Trouble::OtherTabCounts],
        WorkerFailed: [Trouble::WorkerFailed(text())],
        GpuFailed: [Trouble::GpuFailed(text())],
        GpuFaulty: [Trouble::GpuFaulty(wrong)],
    });
    let gpus = messages!(WebGpu {
        Unknown: [WebGpu::Unknown],
        Missing: [WebGpu::Missing],
        Insecure: [WebGpu::Insecure],
        NoAdapter: [WebGpu::NoAdapter],
        Found: [WebGpu::Found("a GPU".into())],
        Failed: [WebGpu::Failed(text())],
        Faulty: [WebGpu::Faulty],
    });
    let current_row = CurrentRow {
        method: Method::Colours,
        size: size(),
        started: 3,
        done: 2,
        tasks: 4096,
        solutions: 92,
        seconds: 0.25,
        remaining_seconds: Some(1e9),
    };
    let full = CountStatus {
        phase: Phase::Running,
        job: Some(job()),
        current_row: Some(current_row),
        workers: vec![WorkerStatus { task: Some(7), batch: 2, done: 1 }, WorkerStatus::default()],
        trouble: None,
        cores: 16,
        webgpu: WebGpu::Unknown,
    };
    let phases = Phase::ALL.iter().map(|&phase| CountStatus { phase, ..CountStatus::default() });
    let troubles =
        troubles.into_iter().map(|trouble| CountStatus { trouble: Some(trouble), ..full.clone() });
    let gpus = gpus.into_iter().map(|webgpu| CountStatus { webgpu, ..full.clone() });
    phases.chain(troubles).chain(gpus).collect()
}

fn count_events() -> Vec<CountEvent> {
    let row = |outcome| FinishedRow {
        method: Method::Colours,
        size: size(),
        outcome,
        checks: [Check::Sums, Check::Known].into_iter().collect(),
        executor: Executor::Workers(2),
        seconds: 0.25,
        time: "00:00:00:00.25".into(),
    };
    let rows = vec![row(Ok(numbers())), row(Err("total: too large".into()))];
    let documents = vec![("a.json".to_owned(), "{}".to_owned())];
    messages!(CountEvent {
        Status: statuses()
            .into_iter()
            .map(|each| CountEvent::Status(Box::new(each)))
            .collect::<Vec<_>>(),
        Rows: [CountEvent::Rows(rows), CountEvent::Rows(vec![])],
        Documents: [CountEvent::Documents(documents), CountEvent::Documents(vec![])],
    })
}

fn task_starts() -> Vec<TaskStart> {
    messages!(TaskStart {
        Unknown: [TaskStart::Unknown],
        Queens: [TaskStart::Queens(queens())],
        RowSets: [TaskStart::RowSets(300),],
    })
}

fn compared_task() -> ComparedTask {
    ComparedTask { id: 7, totals: [0, u64::MAX], seconds: [1e-9, 1e12] }
}

fn task_difference() -> TaskDifference {
    TaskDifference {
        common: 300,
        only_first: 1,
        only_second: 2,
        mismatch_count: 1,
        mismatches: vec![TaskPair { id: 7, totals: [0, u64::MAX] }],
        times: TimeDifference {
            timed: 300,
            longer: [1, 298],
            sums: [1e-9, 1e12],
            largest: vec![TimePair { id: 7, seconds: [1e-9, 1e12] }],
            median_ratio: 1e21,
            picture: TimePicture::new(&[compared_task()]),
        },
    }
}

#[test]
fn replies_round_trip() {
    let found: Vec<_> = Class::ALL
        .map(|class| Representative { placement: placement(), class, step: 1 << 40 })
        .into();
    let progress = SearchProgress { entered: 1, all: 300 };
    let ledger = Some(ClassLedger { numbers: numbers(), turns: numbers().turns() });
    let effort = Effort { steps: Effort::LIMIT, has_ended: true, ..Effort::NONE };
    let task = Task { id: 300, total: u64::MAX, seconds: 0.5 };
    let summary = TaskSummary {
        count: 2,
        seconds: 1.5,
        median: 0.0,
        largest: Task::default(),
        listed: task_starts().into_iter().map(|start| ListedTask { task, start }).collect(),
    };
    let mismatches =
        [Some(2), None].map(|recounted| Mismatch { id: 3, claimed: 1, recounted }).into();
    let recounted = RecountProgress { counted: 2, remaining: 1, mismatch_count: 2, mismatches };
    let answers = messages!(Answer {
        Classes: [
            Answer::Classes { found, progress, ledger },
            Answer::Classes { found: vec![], progress, ledger: None },
        ],
        TimelineIndex: [Answer::TimelineIndex {
            steps: 1 << 50,
            beats: 7,
            has_ended: false,
            icicle: icicle(),
        }],
        Located: [Some(Location { step: 9, kept: 2, total: 1 << 40 }), None].map(Answer::Located),
        Completions: [Answer::Completions { found: 92, progress, done: true }],
        Completion: [
            Answer::Completion { placement: Some(placement()), is_missing: false },
            Answer::Completion { placement: None, is_missing: true },
        ],
        Efforts: [Answer::Efforts { efforts: vec![Effort::NONE, effort] }],
        Count: count_events().into_iter().map(Answer::Count).collect::<Vec<_>>(),
        TaskSummary: [Some(summary), None].map(Answer::TaskSummary),
        TaskList: [vec![task, Task::default()], vec![]].map(Answer::TaskList),
        TaskDifference: [Some(task_difference()), None].map(Answer::TaskDifference),
        SumOfShards: [Some(1 << 40), None].map(Answer::SumOfShards),
        RecountProgress: [Answer::RecountProgress(recounted)],
        Files: [Answer::Files { files: (0..=255).collect(), last: true }],
    });
    for (id, answer) in (0..).zip(answers) {
        assert_round_trip(&Reply { id, answer });
    }
}

#[test]
fn outcomes_of_publishing_round_trip() {
    let rejected =
        |status, reason: &str| PublishOutcome::Rejected { status, reason: reason.into() };
    let outcomes = messages!(PublishOutcome {
        Stored: [PublishOutcome::Stored("{}".into())],
        Rejected: [rejected(422, "tasks: missing"), rejected(503, "")],
        NoAnswer: [PublishOutcome::NoAnswer],
        Missing: [PublishOutcome::Missing],
    });
    for outcome in outcomes {
        assert_round_trip(&outcome);
        assert_eq!(PublishOutcome::read(&outcome.write()), outcome);
    }
}

/// A map with each kind of block.
fn icicle() -> Icicle {
    let kinds =
        [BlockKind::Queen(31), BlockKind::Solution(0), BlockKind::Discarded(3), BlockKind::DeadEnd];
    let kinds = kinds.into_iter().chain([BlockKind::Several]).chain(Rule::ALL.map(BlockKind::Cut));
    let blocks = kinds.map(|kind| Block { from: 1, to: 1 << 50, kind, solutions: u32::MAX });
    let band = Band { blocks: blocks.collect(), cuts: vec![] };
    Icicle { bands: vec![band, Band::default()], steps: 1 << 50, is_whole: true }
}

/// One contradiction of each kind.
fn contradictions() -> Vec<Contradiction> {
    let (n, position, sum, method) = (8, 300, u128::MAX, Method::Colours);
    let (total, expected) = (u64::MAX, 92);
    let recorded = Coverage { sets: 3, weight: 7 };
    messages!(Contradiction {
        PlanLength: [Contradiction::PlanLength { n, method, tasks: 3, expected: 4096 }],
        MissingTasks: [Contradiction::MissingTasks { ids: vec![1, 300], expected: 4096 }],
        DoubleTask: [Contradiction::DoubleTask { position, id: 3 }],
        ForeignTask: [Contradiction::ForeignTask { position, id: 3, is_shard: true }],
        OddTask: [Contradiction::OddTask { position, total, method }],
        Chosen: [Contradiction::Chosen { position, chosen: 1, total }],
        Coverage: [Contradiction::Coverage {
            position,
            recorded,
            expected: Coverage { sets: 1, weight: 4 }
        }],
        WeightSum: [Contradiction::WeightSum { n, weight: 1, expected }],
        Implausible: [Contradiction::Implausible { n, total }],
        TaskSum: [Contradiction::TaskSum { sum, total }],
        TotalSum: [Contradiction::TotalSum { sum, total }],
        UniqueSum: [Contradiction::UniqueSum { sum, unique: 12 }],
        Divisibility: [Contradiction::Divisibility { total, half_turn: 4 }],
        Known: [Contradiction::Known { field: "unique".into(), n, value: 13, known: 12 }],
        ShardTooLarge: [Contradiction::ShardTooLarge { n, total, known: 92 }],
    })
}

/// One problem of each kind.
fn problems() -> Vec<Problem> {
    let found = || "\"…\"".to_owned();
    messages!(Problem {
        Missing: [Problem::Missing],
        Repeated: [Problem::Repeated],
        WrongType: [Problem::WrongType { found: found(), expected: "a list".into() }],
        NotWhole: [Problem::NotWhole { found: found() }],
        OutOfRange: [Problem::OutOfRange { found: found(), least: 1, most: u64::MAX }],
        NotACount: [Problem::NotACount { found: found() }],
        CountTooLarge: [Problem::CountTooLarge { found: found() }],
        NotSeconds: [Problem::NotSeconds { found: found() }],
        NotATimestamp: [Problem::NotATimestamp { found: found() }],
        UnknownFormat: [Problem::UnknownFormat { found: found() }],
        UnknownVersion: [Problem::UnknownVersion { found: found() }],
        UnknownPlan: [Problem::UnknownPlan { found: 300, known: 3 }],
        UnknownWord: [Problem::UnknownWord { found: found(), known: "a, b".into() }],
        NoSuchForm: [Problem::NoSuchForm { method: Method::Colours, form: Form::Iterative }],
        TooDeep: [Problem::TooDeep { most: 32 }],
        TooLong: [Problem::TooLong { most: 1 << 20 }],
        NotForAShard: [Problem::NotForAShard],
        NotForSizeOne: [Problem::NotForSizeOne],
    })
}

#[test]
fn results_of_reading_files_round_trip() {
    let field = |problem| DocumentError::Field { path: "tasks[3].total".into(), problem };
    let mut errors: Vec<_> = problems().into_iter().map(field).collect();
    errors.extend([
        DocumentError::Empty,
        DocumentError::Truncated { line: 3, column: 300 },
        DocumentError::NotJson { reason: "at line 1".into() },
        DocumentError::NotAResult,
    ]);
    let fault = BoardFault {
        number: Some(3),
        line: 300,
        columns: Some(vec![0, 1]),
        error: Some(NotationError::Twice(queens().squares().next().unwrap())),
        attacks: vec![(0, 1)],
    };
    let (cell, found) = (Cell::Unique, u128::MAX);
    let findings = messages!(Finding {
        Boards: [Finding::Boards(1 << 40)],
        FirstColumn: [Finding::FirstColumn(1)],
        Solutions: [Finding::Solutions {
            n: size(),
            solutions: 91,
            classes: 12,
            published: Some(92),
        }],
        WrongBoard: [Finding::WrongBoard(fault)],
        MoreWrong: [Finding::MoreWrong(7)],
        Rows: [Finding::Rows(9)],
        OnlyUnique: [Finding::OnlyUnique],
        Right: [Finding::Right],
        WrongNumber: [Finding::WrongNumber(WrongCell {
            line: 1,
            n: 8,
            cell,
            found,
            published: 92
        })],
        Unpublished: [Finding::Unpublished(vec![29, 30])],
        Ignored: [Finding::Ignored { line: 1, text: "a".into() }],
        MoreIgnored: [Finding::MoreIgnored(7)],
    });
    let why = messages!(FileError {
        Document: errors.into_iter().map(FileError::Document).collect::<Vec<_>>(),
        Material: [FileError::Material(findings)],
        Nothing: [FileError::Nothing],
        Journal: [FileError::Journal],
        Unreadable: [FileError::Unreadable],
        TooLarge: [FileError::TooLarge],
        Access: FileAccessError::ALL
            .iter()
            .map(|&error| FileError::Access(error))
            .collect::<Vec<_>>(),
        Stored: [FileError::Stored("a key".into(), Box::new(FileError::TooLarge))],
    });
    let info = DocumentInfo {
        document: 300,
        header: "{\"n\": 8}".into(),
        checks: Checks::NONE,
        contradictions: contradictions(),
        more: 5,
    };
    let results = [Ok(info)].into_iter().chain(why.into_iter().map(Err));
    let files: Vec<LoadedFile> = results.map(|result| ("a.json".to_owned(), result)).collect();
    assert_round_trip(&files);
    assert_eq!(DocumentInfo::read(&DocumentInfo::write(&files)), files);
}

#[test]
fn rejects_messages_with_impossible_values() {
    /// Has the encoding of [`Request::Classes`], but admits any number as the size. A page of another
    /// build could send such a request.
    #[derive(Serialize)]
    enum Forged {
        Classes { size: u32 },
    }
    let forged = |size| read::<Request>(&write(&Forged::Classes { size }).unwrap());
    assert_eq!(forged(8).unwrap(), Request::Classes { size: size() });
    for size in [0, 33] {
        assert!(forged(size).is_err(), "{size}");
    }
}

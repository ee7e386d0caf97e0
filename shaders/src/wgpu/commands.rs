//! Binding of buffers, launches and reading back, for all kernels.

use futures_channel::oneshot;
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, Buffer, CommandEncoder,
    CommandEncoderDescriptor, ComputePassDescriptor, MapMode,
};

use super::connection::{Connection, Pipeline, unread};
use crate::DeviceError;

/// The buffers of a launch, with their binding numbers in the kernels.
pub(super) type Bindings<'a> = [(u32, &'a Buffer)];

impl Connection {
    /// Starts a list of commands.
    pub(super) fn commands(&self) -> CommandEncoder {
        self.device.create_command_encoder(&CommandEncoderDescriptor::default())
    }

    /// Binds the buffers of a launch.
    pub(super) fn bind(&self, kernel: &Pipeline, bindings: &Bindings<'_>) -> BindGroup {
        let entries: Vec<BindGroupEntry<'_>> = bindings
            .iter()
            .map(|&(binding, buffer)| BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        self.device.create_bind_group(&BindGroupDescriptor {
            label: None,
            layout: &kernel.pipeline.get_bind_group_layout(0),
            entries: &entries,
        })
    }

    /// Runs `commands`, then reads words of a buffer, starting at byte `from`. They are copied to
    /// `answer`, because only that buffer can be mapped.
    pub(super) async fn read(
        &self,
        mut commands: CommandEncoder,
        (buffer, from): (&Buffer, u64),
        words: usize,
        answer: &Buffer,
    ) -> Result<Vec<u32>, DeviceError> {
        commands.copy_buffer_to_buffer(buffer, from, answer, 0, bytes(words));
        let submission = self.submit(commands.finish())?;
        let slice = answer.slice(..bytes(words));
        let (ready, mapped) = oneshot::channel();
        // Sending fails if `wait` has returned an error and dropped the receiver; the error is
        // reported already.
        slice.map_async(MapMode::Read, move |result| drop(ready.send(result)));
        self.wait(submission, mapped).await?;
        let view = slice.get_mapped_range().map_err(|error| unread(&error))?;
        let words = from_bytes(&view);
        drop(view);
        answer.unmap();
        Ok(words)
    }
}

/// Adds a launch of this many workgroups to `commands`.
pub(super) fn launch(
    commands: &mut CommandEncoder,
    kernel: &Pipeline,
    group: &BindGroup,
    workgroups: u32,
) {
    let mut pass = commands.begin_compute_pass(&ComputePassDescriptor::default());
    pass.set_pipeline(&kernel.pipeline);
    pass.set_bind_group(0, group, &[]);
    pass.dispatch_workgroups(workgroups, 1, 1);
}

/// Returns the size of words in bytes.
pub(super) fn bytes(words: usize) -> u64 {
    4 * words as u64
}

pub(super) fn to_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

pub(super) fn from_bytes(bytes: &[u8]) -> Vec<u32> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
    bytes.chunks_exact(4).map(word).collect()
}
